package dev.bluebell.uverbs.xrc;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An XRC domain, and the target queue pairs in it. Target queue pairs outlive the client that
 * creates them, so their resources belong to no client: a protection domain without memory, and a
 * completion queue in which nothing completes. Mirrors {@code mlx5_ib main.c:
 * mlx5_ib_dev_res_init}, which has one set for all domains. Thread-safe.
 */
public final class XrcDomain {
  private static final int PAGE_BYTES = 4096;

  private final HcaObject xrcd;
  private final HcaObject domain;
  private final HcaObject completions;

  // In the order in which to free them.
  private final Deque<Runnable> parts = new ArrayDeque<>();
  private final Map<Integer, QpObject> targets = new HashMap<>();

  // Guarded by the table of domains.
  int users;
  @Nullable Object file;

  XrcDomain(Hca hca) {
    try {
      domain = made(hca.allocateProtectionDomain());
      HcaUar page = hca.allocateUar();
      parts.push(page::close);
      HcaUmem memory = hca.registerUmem(hca.allocate(PAGE_BYTES));
      parts.push(memory::close);
      completions = made(hca.create(completionQueue(hca, page, memory)));
      // Freed first: only this can be refused, and then the domain stays complete.
      xrcd =
          made(hca.create(View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD).bytes()));
    } catch (RuntimeException e) {
      free();
      throw e;
    }
  }

  private HcaObject made(HcaObject object) {
    parts.push(object::close);
    return object;
  }

  private static byte[] completionQueue(Hca hca, HcaUar page, HcaUmem memory) {
    View command =
        View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ)
            .set(CreateCqIn.CQ_UMEM_ID, memory.number())
            .set(CreateCqIn.CQ_UMEM_VALID, true);
    command
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_ID, memory.number())
        .set(Cqc.DBR_UMEM_VALID, true)
        .set(Cqc.DBR_ADDR, Cqe.BYTES)
        .set(Cqc.UAR_PAGE, page.number())
        .set(Cqc.C_EQN, hca.eventQueueNumber(0));
    return command.bytes();
  }

  /** Frees everything; the domain must be empty. */
  void free() {
    while (!parts.isEmpty()) {
      parts.peek().run();
      parts.pop();
    }
  }

  public int number() {
    return xrcd.number();
  }

  /** Number of the protection domain of targets. */
  public int pd() {
    return domain.number();
  }

  /** Number of the completion queue of targets. */
  public int cqn() {
    return completions.number();
  }

  // ---- targets

  /** Adds a target queue pair that was created in the domain, for its first user. */
  public synchronized QpObject add(HcaObject object) {
    QpObject target = new QpObject(object);
    target.users = 1;
    targets.put(target.number(), target);
    return target;
  }

  /** Finds a target queue pair for another user. */
  public synchronized QpObject open(int qpn) {
    @Nullable QpObject target = targets.get(qpn);
    if (target == null) {
      throw new Refusal(
          Errno.EINVAL, "XRC domain 0x%x has no target QP 0x%x".formatted(number(), qpn));
    }
    target.users++;
    return target;
  }

  /** Removes a user of a target queue pair; the last one destroys it. */
  public synchronized void close(QpObject target) {
    if (target.users == 1) {
      target.object().close();
      targets.remove(target.number());
    }
    target.users--;
  }
}
