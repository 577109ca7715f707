package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawTagCqe;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tag-matching queues whose receive WQEs are divided into 8 strides of 256 bytes, at a path MTU of
 * 256, as UCX creates them for messages of many packets.
 */
class StridingTagsTest {
  private static final long TAG = 0x1122334455667788L;
  private static final int EAGER = TagMatchingHeader.EAGER;
  private static final int STRIDE = 256;
  private static final int WQE_BYTES = 8 * STRIDE;

  private final Tagged tagged =
      new Tagged(
          false,
          new Settings().mtu(1),
          wq ->
              wq.set(Wq.WQ_TYPE, 3)
                  .set(Wq.LOG_WQE_NUM_OF_STRIDES, 0xa)
                  .set(Wq.LOG_WQE_STRIDE_SIZE, 2));

  @AfterEach
  void close() {
    tagged.close();
  }

  /** Posts a receive WQE for the part of the target of a slot. */
  private void receive(int slot) {
    long at = tagged.target.address(Tagged.UNTAGGED + (long) slot * WQE_BYTES);
    tagged.xrq.receive(at, WQE_BYTES, tagged.target.key());
  }

  /** The fields of a stride's completion. */
  private record Stride(int operation, int wqe, int stride, int flags, int bytes) {}

  private static final int FIRST = Cqe.STRIDE_FIRST;
  private static final int LAST = Cqe.STRIDE_LAST;

  private List<Stride> send(Wqe wqe) {
    tagged.sender().post(wqe);
    tagged.rig.settle();
    return poll();
  }

  private List<Stride> send(int bytes) {
    return send(Wqe.send().data(tagged.source, 0, bytes));
  }

  private List<Stride> poll() {
    RawCq cq = tagged.xrq.completions();
    int index = cq.consumer();
    List<Stride> strides = new ArrayList<>();
    for (RawTagCqe told : RawTagCqe.poll(cq)) {
      long entry = cq.entry(index++);
      long path = Memory.getLong(entry + Cqe.PATH_WORD);
      assertThat(Cqe.WQE_ID.getInt(Memory.getLong(entry + Cqe.WQE_ID.word())))
          .isEqualTo(told.plain().wqeCounter());
      assertThat(told.plain().userIndex()).isEqualTo(RawXrq.USER_INDEX);
      strides.add(
          new Stride(
              told.operation(),
              told.plain().wqeCounter(),
              (int) (path >>> 16) & 0xffff,
              told.plain().byteCount() & ~0xffff,
              told.plain().byteCount() & 0xffff));
    }
    return strides;
  }

  private int counted() {
    return tagged.change(RawXrq.synchronize(0)).unexpected();
  }

  @Test
  void eachPacketOfAnUnexpectedMessageTakesAStrideAndTheMessageIsCountedOnce() {
    receive(0);
    tagged.header(EAGER, TAG);
    assertThat(send(600))
        .containsExactly(
            new Stride(TagMatchingCqe.UNEXPECTED, 0, 0, FIRST, 256),
            new Stride(TagMatchingCqe.UNEXPECTED, 0, 1, 0, 256),
            new Stride(TagMatchingCqe.UNEXPECTED, 0, 2, LAST, 88));
    assertThat(tagged.target.bytes(Tagged.UNTAGGED, 600)).isEqualTo(tagged.source.bytes(0, 600));
    assertThat(counted()).isEqualTo(1);
  }

  @Test
  void theImmediateComesWithTheLastPacket() {
    receive(0);
    tagged.header(EAGER, TAG);
    tagged.sender().post(new Wqe(WqeOpcode.SEND_IMM).immediate(0xabcd).data(tagged.source, 0, 300));
    tagged.rig.settle();
    List<RawTagCqe> told = RawTagCqe.poll(tagged.xrq.completions());
    assertThat(told).hasSize(2);
    told.getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    told.getLast().require(CqeOpcode.RESP_SEND_IMM, TagMatchingCqe.UNEXPECTED, 0);
    assertThat(told.getLast().plain().immediate()).isEqualTo(0xabcd);
  }

  @ParameterizedTest
  @ValueSource(ints = {TagMatchingHeader.NO_TAG, TagMatchingHeader.FIN})
  void aMessageWithoutTagTakesAStrideAndIsNotCounted(int operation) {
    receive(0);
    tagged.header(operation, TAG);
    assertThat(send(100))
        .containsExactly(new Stride(TagMatchingCqe.NO_TAG, 0, 0, FIRST | LAST, 100));
    assertThat(send(20)).containsExactly(new Stride(TagMatchingCqe.NO_TAG, 0, 1, FIRST | LAST, 20));
    assertThat(counted()).isZero();
  }

  @Test
  void aMessageOfATagTakesNoStride() {
    int entry = tagged.append(TAG, -1, 0, 1024);
    receive(0);
    tagged.header(EAGER, TAG);
    List<RawTagCqe> told = tagged.send(600);
    told.getLast().require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
    assertThat(told.getLast().plain().byteCount()).isEqualTo(584);
    assertThat(send(20))
        .containsExactly(new Stride(TagMatchingCqe.UNEXPECTED, 0, 0, FIRST | LAST, 20));
  }

  @Test
  void anUnexpectedMessageWaitsForAStrideAndIsCountedOnce() {
    tagged.header(EAGER, TAG);
    assertThat(send(20)).isEmpty();
    receive(0);
    tagged.rig.pass(100_000);
    assertThat(poll())
        .containsExactly(new Stride(TagMatchingCqe.UNEXPECTED, 0, 0, FIRST | LAST, 20));
    assertThat(counted()).isEqualTo(1);
  }

  @Test
  void aMessageWithoutFreeStridesContinuesInTheNextWqe() {
    receive(0);
    tagged.header(EAGER, TAG);
    assertThat(send(7 * STRIDE)).hasSize(7);
    assertThat(send(600)).containsExactly(new Stride(TagMatchingCqe.UNEXPECTED, 0, 7, FIRST, 256));
    receive(1);
    tagged.rig.pass(100_000);
    assertThat(poll())
        .containsExactly(
            new Stride(TagMatchingCqe.UNEXPECTED, 1, 0, 0, 256),
            new Stride(TagMatchingCqe.UNEXPECTED, 1, 1, LAST, 88));
    assertThat(counted()).isEqualTo(2);
    assertThat(tagged.target.bytes(Tagged.UNTAGGED + 7 * STRIDE, 600))
        .isEqualTo(tagged.source.bytes(0, 600));
  }

  @Test
  void aRequestForARendezvousThatMatchesNothingTakesOneStride() {
    receive(0);
    tagged.offer(TAG, tagged.source.address(0), tagged.source.key(), 4000);
    assertThat(send(32))
        .containsExactly(new Stride(TagMatchingCqe.UNEXPECTED, 0, 0, FIRST | LAST, 32));
  }

  @Test
  void aWriteWithImmediateIsRefusedAndTheQueueNamed() {
    receive(0);
    tagged
        .sender()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE_IMM)
                .remote(tagged.target.address(0), tagged.target.key())
                .data(tagged.source, 0, 8));
    tagged.rig.settle();
    tagged
        .sender()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "XRQ 0x%x has strides, for SENDs only".formatted(tagged.xrq.number()));
  }
}
