package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that were rung before a command are executed before it. */
class RungBeforeCommandTest {
  private static final long MARK = 0x1122334455667788L;

  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(4096);
  private final RawPair pair = rig.pair();

  @AfterEach
  void close() {
    rig.close();
  }

  private void post() {
    Memory.putLong(memory.address(0), MARK);
    pair.left().post(Wqe.write(memory, 2048).data(memory, 0, 8));
  }

  private void expectDone() {
    assertThat(Memory.getLong(memory.address(2048))).isEqualTo(MARK);
  }

  @Test
  void rungRequestsAreExecutedBeforeTheirQueuePairIsDestroyed() {
    post();
    pair.left().object().close();
    expectDone();
  }

  @Test
  void rungRequestsAreExecutedBeforeTheirQueuePairIsReset() {
    post();
    pair.left().reset();
    expectDone();
  }

  @Test
  void rungRequestsAreExecutedBeforeTheirQueuePairMovesToError() {
    post();
    pair.left().toError();
    expectDone();
    rig.settle();
    assertThat(pair.left().sends().pollOne().opcode()).isEqualTo(CqeOpcode.REQ);
  }

  @Test
  void aRungRequestIsExecutedThoughItsDoorbellWasOverwritten() {
    RawPair other = rig.pair();
    post();
    other.left().post(Wqe.write(memory, 1024).data(memory, 0, 8));
    pair.left().object().close();
    expectDone();
  }

  @Test
  void destroyingAKeyWaitsForTheRungRequestsOfAllQueuePairs() {
    RawMemory other = rig.memory(64);
    RawPair second = rig.pair();
    Memory.putLong(other.address(0), MARK);
    pair.left().post(Wqe.write(memory, 2048).data(other, 0, 8));
    second.left().post(Wqe.write(memory, 1024).data(other, 0, 8));
    other.registration().close();
    expectDone();
    assertThat(Memory.getLong(memory.address(1024))).isEqualTo(MARK);
  }

  @Test
  void destroyingAKeyWaitsForALimitedAmountOfWork() {
    RawMemory source = rig.memory(4 << 20);
    RawMemory target = rig.memory(4 << 20);
    for (int i = 0; i < 8; i++) {
      pair.left().post(Wqe.write(target, 0).data(source, 0, 4 << 20));
    }
    source.registration().close();
    rig.settle();
    List<RawCqe> completions = pair.left().sends().poll(8);
    assertThat(completions.getFirst().opcode()).isEqualTo(CqeOpcode.REQ);
    assertThat(completions.getLast().opcode()).isEqualTo(CqeOpcode.REQ_ERR);
  }

  @Test
  void anUnrungRequestIsNotExecuted() {
    Memory.putLong(memory.address(0), MARK);
    pair.left().write(Wqe.write(memory, 2048).data(memory, 0, 8));
    pair.left().writeRecord();
    pair.left().object().close();
    assertThat(Memory.getLong(memory.address(2048))).isZero();
  }

  @Test
  void destroyingAKeyExecutesNoUnrungRequest() {
    pair.right().post(Wqe.write(memory, 1024).data(memory, 0, 8));
    rig.settle();
    Memory.putLong(memory.address(0), MARK);
    pair.left().write(Wqe.write(memory, 2048).data(memory, 0, 8));
    pair.left().writeRecord();
    rig.memory(64).registration().close();
    assertThat(Memory.getLong(memory.address(2048))).isZero();
  }

  @Test
  void aDoorbellAfterTheDestructionOfItsQueuePairIsExplained() {
    RawQp left = pair.left();
    int index = left.write(Wqe.write(memory, 2048).data(memory, 0, 8));
    left.writeRecord();
    left.object().close();
    left.ring(index);
    rig.settle();
    assertThat(rig.explanation())
        .contains("QP 0x%x".formatted(left.number()), "which was destroyed before it was rung");
  }
}
