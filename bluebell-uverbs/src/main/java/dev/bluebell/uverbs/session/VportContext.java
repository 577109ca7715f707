package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyOut;
import dev.bluebell.hca.structure.View;
import java.nio.ByteBuffer;

/** The firmware's attributes of an InfiniBand port, queried by the kernel's commands. */
public final class VportContext {
  /** Number of the device's only port. */
  public static final int PORT = 1;

  /** In place of an index: all entries. */
  private static final int ALL = 0xffff;

  private VportContext() {}

  /** True if the device's port is InfiniBand. */
  public static boolean isInfiniBand(Hca hca) {
    return hca.queryPort(PORT).linkLayer() == LinkLayer.INFINIBAND;
  }

  /** The answer to QUERY_HCA_VPORT_CONTEXT, {@link HcaVportContext}. */
  public static View query(Hca hca) {
    byte[] answer =
        hca.execute(
            View.command(QueryHcaVportContextIn.STRUCTURE, CommandOpcode.QUERY_HCA_VPORT_CONTEXT)
                .bytes());
    return View.over(answer).at(QueryHcaVportContextOut.HCA_VPORT_CONTEXT);
  }

  /** The partition key table, 16 bits each. */
  public static int[] partitionKeys(Hca hca) {
    byte[] answer =
        hca.execute(
            View.command(QueryHcaVportPkeyIn.STRUCTURE, CommandOpcode.QUERY_HCA_VPORT_PKEY)
                .set(QueryHcaVportPkeyIn.PKEY_INDEX, ALL)
                .bytes());
    int header = QueryHcaVportPkeyOut.STRUCTURE.bytes();
    int[] keys = new int[(answer.length - header) / Integer.BYTES];
    ByteBuffer.wrap(answer, header, answer.length - header).asIntBuffer().get(keys);
    return keys;
  }
}
