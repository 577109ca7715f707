package dev.bluebell.verbs.memory;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.verbs.object.Domain;

/**
 * A memory key that is created free, for requests to fill in. Mirrors {@code mlx5_ib mr.c:
 * mlx5_ib_alloc_mw} and {@code verbs.c: _mlx5dv_create_mkey}.
 */
public final class KeyObject {
  private final HcaObject object;

  private KeyObject(HcaObject object) {
    this.object = object;
  }

  /**
   * @param entries of its translation
   * @param invalidatable whether peers may invalidate it
   */
  public static KeyObject create(Domain domain, int entries, boolean invalidatable) {
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_KLM)
        .set(Mkc.FREE, true)
        .set(Mkc.UMR_EN, true)
        .set(Mkc.LR, true)
        .set(Mkc.EN_RINVAL, invalidatable)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.PD, domain.number())
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, UmrSegment.octowords(entries));
    return new KeyObject(domain.device().hca().create(command.bytes()));
  }

  /** The key with a tag. */
  public int key(int tag) {
    return object.number() << 8 | tag & 0xff;
  }

  /** Queries the context from the device. */
  public View query() {
    byte[] command =
        View.command(QueryMkeyIn.STRUCTURE, CommandOpcode.QUERY_MKEY)
            .set(QueryMkeyIn.MKEY_INDEX, object.number())
            .bytes();
    return View.over(object.query(command)).at(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY);
  }

  public void close() {
    object.close();
  }
}
