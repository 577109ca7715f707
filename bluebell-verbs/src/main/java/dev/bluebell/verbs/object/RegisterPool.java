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
  private final Queue<Register> completion = new ArrayDeque<>();

  public RegisterPool(Hca hca) {
    this.hca = hca;
  }

  /** A BlueFlame register for a send queue. */
  public synchronized Register takeSend() {
    if (send.isEmpty()) {
      addPage();
    }
    return send.remove();
  }

  public synchronized void giveSend(Register register) {
    send.add(register);
  }

  /** A register for a completion queue's arm commands. */
  public synchronized Register takeCompletion() {
    if (completion.isEmpty()) {
      addPage();
    }
    return completion.remove();
  }

  public synchronized void giveCompletion(Register register) {
    completion.add(register);
  }

  /** Pages live as long as the device, which closes them. */
  private void addPage() {
    HcaUar page = hca.allocateUar();
    completion.add(new Register(page.number(), page.address() + Uar.CQ_DOORBELL));
    for (int i = 0; i < Uar.BLUEFLAME_REGISTERS; i++) {
      long offset = Uar.BLUEFLAME + (long) i * Uar.BLUEFLAME_REGISTER_BYTES;
      send.add(new Register(page.number(), page.address() + offset));
    }
  }
}
