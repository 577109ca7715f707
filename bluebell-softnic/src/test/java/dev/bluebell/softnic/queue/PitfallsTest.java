package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traps of docs/pitfalls.md and pitfalls-raw.md that no other test of the device covers. */
class PitfallsTest {
  private static final int SIGNATURE = 8;

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(4096).fill(1);
  private final RawMemory target = rig.memory(4096);
  private final RawPair pair = rig.pair(new Settings().rnrRetry(0));

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  private Wqe write() {
    return Wqe.write(target, 0).data(source, 0, 64);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x01, 0x20, 0x80, 0xff})
  void theSignatureByteIsIgnoredWithoutSignatures(int value) {
    RawQp qp = pair.left();
    int index = qp.write(write());
    Memory.putByte(qp.wqebb(index) + SIGNATURE, (byte) value);
    qp.writeRecord();
    qp.ring(index);
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 64)).isEqualTo(source.bytes(0, 64));
  }

  @Test
  void aDoorbellOfFourBytesNamesNoQueuePairAndIsExplained() {
    RawQp qp = pair.left();
    int index = qp.write(write());
    qp.writeRecord();
    Memory.putIntRelease(
        rig.uar().address() + Uar.BLUEFLAME, (int) (Memory.getLong(qp.wqebb(index)) >>> 32));
    rig.settle();
    assertThat(rig.explanations())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "send doorbell on UAR page " + rig.uar().number(), "QP 0x0", "bytes 4–6"));
    // The page was rung nevertheless, and another queue pair shares it.
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void oneBufferForAllBlueFlameCopiesLosesNothing() {
    RawQp qp = pair.left();
    long buffer = rig.uar().address() + Uar.BLUEFLAME;
    for (int round = 0; round < 40; round++) {
      int index = qp.write(write());
      qp.writeRecord();
      for (int i = Uar.BLUEFLAME_BUFFER_BYTES - 8; i >= 0; i -= 8) {
        Memory.putLongRelease(buffer + i, Memory.getLong(qp.wqebb(index) + (i & 63)));
      }
      rig.settle();
      qp.sends().pollOne().require(CqeOpcode.REQ, index);
    }
  }

  @Test
  void aReceiveWhoseDoorbellRecordWasNotWrittenIsMissedAndExplained() {
    Memory.putLong(pair.right().receiveWqe(0), DataSegment.first(64, target.key()));
    Memory.putLong(pair.right().receiveWqe(0) + 8, target.address(0));
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.RNR_RETRY_EXC_ERR,
            0,
            "QP 0x%x has no receive WQE posted".formatted(pair.right().number()),
            "ring their doorbell");
  }

  @Test
  void theUpperByteOfAConsumerIndexIsIgnored() {
    RawCq cq = rig.cq(2);
    RawQp qp = rig.qp(cq);
    qp.connect(qp.number(), new Settings());
    rig.settle();
    for (int i = 0; i < 40; i++) {
      qp.post(Wqe.nop());
      rig.settle();
      cq.pollOne().require(CqeOpcode.REQ, i);
      Memory.putIntRelease(cq.record() + DoorbellRecord.CQ_SET_CI, 0xab00_0000 | cq.consumer());
    }
  }
}
