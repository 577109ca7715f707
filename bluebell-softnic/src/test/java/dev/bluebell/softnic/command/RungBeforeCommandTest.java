package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was rung before a command is done before it. */
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
  void aQueuePairThatIsDestroyedHasSentWhatWasRung() {
    post();
    pair.left().object().close();
    expectDone();
  }

  @Test
  void aQueuePairThatIsResetHasSentWhatWasRung() {
    post();
    pair.left().reset();
    expectDone();
  }

  @Test
  void aQueuePairThatIsMovedToErrorHasSentWhatWasRung() {
    post();
    pair.left().toError();
    expectDone();
    rig.settle();
    assertThat(pair.left().sends().pollOne().opcode()).isEqualTo(CqeOpcode.REQ);
  }

  @Test
  void whatSharesTheRegisterOfAnotherIsSentToo() {
    RawPair other = rig.pair();
    post();
    other.left().post(Wqe.write(memory, 1024).data(memory, 0, 8));
    pair.left().object().close();
    expectDone();
  }

  @Test
  void whatWasNotRungIsNotSent() {
    Memory.putLong(memory.address(0), MARK);
    pair.left().write(Wqe.write(memory, 2048).data(memory, 0, 8));
    pair.left().writeRecord();
    pair.left().object().close();
    assertThat(Memory.getLong(memory.address(2048))).isZero();
  }

  @Test
  void aDoorbellThatComesTooLateIsSaidToBeSo() {
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
