package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A memory window: a free memory key, which the client binds by work requests. Mirrors {@code
 * mlx5_ib mr.c: mlx5_ib_alloc_mw}.
 */
record Mw(HcaObject object, int tag) implements Handles.Held {

  // Common to all contexts, as the kernel's mkey_var: an old key must not match a new window.
  private static final AtomicInteger TAGS = new AtomicInteger();

  /**
   * Allocates a window; its handle is not given yet.
   *
   * @param entries of its translation, from 1
   * @param isTypeTwo whether peers may invalidate it
   */
  static Mw allocate(Session session, Pd pd, int entries, boolean isTypeTwo) {
    int tag = TAGS.getAndIncrement() & 0xff;
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_KLM)
        .set(Mkc.FREE, true)
        .set(Mkc.UMR_EN, true)
        .set(Mkc.LR, true)
        .set(Mkc.EN_RINVAL, isTypeTwo)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.MKEY_7_0, tag)
        .set(Mkc.PD, pd.number())
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, UmrSegment.octowords(entries));
    return new Mw(session.hca().create(command.bytes()), tag);
  }

  int rkey() {
    return object.number() << 8 | tag;
  }

  @Override
  public int rank() {
    return ObjectKind.MEMORY_KEY.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    object.close();
  }
}
