package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue pair's own receive queue, and wrong doorbell records of it. */
class RawReceiveQueueTest {
  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(64).fill(1);
  private final RawMemory target = rig.memory(256);

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  @Test
  void aReceiveThatIsNotCountedInTheRecordDoesNotExist() {
    RawPair pair = rig.pair();
    Memory.putLong(pair.right().receiveWqe(0), DataSegment.first(64, target.key()));
    Memory.putLong(pair.right().receiveWqe(0) + 8, target.address(0));
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    pair.right().writeReceiveRecord(1);
    rig.pass(10_000);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 64)).isEqualTo(source.bytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 10, 40_000, 65_535})
  void aRecordThatClaimsMoreThanTheRingHoldsIsRefused(int counter) {
    RawPair pair = rig.pair();
    pair.right().writeReceiveRecord(counter);
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_OP_ERR,
            0,
            "receive counter",
            "more WQEs than the 8",
            "doorbell record");
    // Nothing else is flushed, because it is unknown what was posted.
    RawCqe failed = pair.right().receives().pollOne();
    failed.requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "receive counter");
    assertThat(failed.vendorSyndrome()).isEqualTo(0xd6);
    pair.right().expectCanaries();
  }

  @Test
  void aReceiveIsFlushedWithItsCounter() {
    RawPair pair = rig.pair();
    for (int i = 0; i < 3; i++) {
      pair.right().receiveNothing();
    }
    pair.left().post(Wqe.send());
    rig.settle();
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    pair.right().toError();
    rig.settle();
    List<RawCqe> flushed = pair.right().receives().poll(2);
    for (int i = 0; i < 2; i++) {
      RawCqe cqe =
          flushed.get(i).requireError(Syndrome.WR_FLUSH_ERR, i + 1, "its client moved it to ERR");
      assertThat(cqe.opcode()).isEqualTo(CqeOpcode.RESP_ERR);
      assertThat(cqe.vendorSyndrome()).isEqualTo(0xf9);
    }
  }

  @Test
  void aReceiveOfOneOfManyFailedQueuePairsIsFlushedBeforeTheDeviceRests() {
    // More than the device looks at in one go.
    List<RawPair> pairs = IntStream.range(0, 300).mapToObj(i -> rig.pair()).toList();
    pairs.forEach(pair -> pair.right().toError());
    rig.settle();
    for (int i : new int[] {0, 150, 299}) {
      RawQp failed = pairs.get(i).right();
      failed.receiveNothing();
      rig.settle();
      failed.receives().pollOne().requireError(Syndrome.WR_FLUSH_ERR, 0);
    }
  }
}
