package dev.bluebell.verbs.object;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.doorbell.Uar;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The registers of UAR pages. Each is given to one queue at a time, because queues belong to
 * different threads. Thread-safe.
 */
public final class RegisterPool {

  /**
   * A register.
   *
   * @param page number of its page
   * @param address of the register
   */
  public record Register(int page, long address) {}

  private final Hca hca;
  private final Queue<Register> send = new ArrayDeque<>();
  private final Queue<Register> blueFlame = new ArrayDeque<>();
  private final Queue<Register> completion = new ArrayDeque<>();

  public RegisterPool(Hca hca) {
    this.hca = hca;
  }

  /**
   * Takes a register for a send queue.
   *
   * @param copies whether requests are also copied into it
   * @param teardown gives it back
   */
  public Register takeSend(boolean copies, Teardown teardown) {
    return take(copies ? blueFlame : send, copies, teardown);
  }

  /**
   * Takes a register for a completion queue's arm commands.
   *
   * @param teardown gives it back
   */
  public Register takeCompletion(Teardown teardown) {
    return take(completion, false, teardown);
  }

  private synchronized Register take(Queue<Register> free, boolean copies, Teardown teardown) {
    if (free.isEmpty()) {
      addPage(copies);
    }
    Register register = free.remove();
    teardown.add(() -> give(free, register));
    return register;
  }

  private synchronized void give(Queue<Register> free, Register register) {
    free.add(register);
  }

  /**
   * Pages live as long as the device, which closes them. Those for copies are write-combining on
   * hardware, where an arm command would wait for a fence.
   */
  private void addPage(boolean copies) {
    HcaUar page = copies ? hca.allocateBlueFlameUar() : hca.allocateUar();
    if (!copies) {
      completion.add(new Register(page.number(), page.address() + Uar.CQ_DOORBELL));
    }
    for (int i = 0; i < Uar.BLUEFLAME_REGISTERS; i++) {
      long offset = Uar.BLUEFLAME + (long) i * Uar.BLUEFLAME_REGISTER_BYTES;
      (copies ? blueFlame : send).add(new Register(page.number(), page.address() + offset));
    }
  }
}
