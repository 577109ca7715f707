package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.CreateAh;
import dev.bluebell.hca.uverbs.PdAbi.CreateAhResp;
import dev.bluebell.hca.uverbs.PdAbi.DestroyAh;
import dev.bluebell.hca.uverbs.PdAbi.DestroyAhAttrs;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.hca.uverbs.PdAbi.Mlx5CreateAhResp;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The calls about address handles. */
public final class AhCalls {
  private static final int MAC_BYTES = 6;

  private AhCalls() {}

  public static void create(Session session, WriteCall call) throws IOException {
    Pd pd = session.handles().find(Pd.class, call.in().getInt(CreateAh.PD_HANDLE));
    View attr = call.in().at(CreateAh.ATTR);
    View route = attr.at(AhAttr.GRH);
    int port = attr.getInt(AhAttr.PORT_NUM);
    if (session.hca().queryPort(port).linkLayer() == LinkLayer.INFINIBAND) {
      // libmlx5 builds these itself; the kernel returns nothing to it.
      int made = session.handles().add(new Ah(pd));
      call.reply(View.of(CreateAhResp.STRUCTURE).set(CreateAhResp.AH_HANDLE, made));
      return;
    }
    Refusal.require(
        attr.isSet(AhAttr.IS_GLOBAL),
        Errno.EINVAL,
        "an AH on Ethernet needs is_global and a destination GID");
    Refusal.require(
        call.driverOut().bytes() == 0 || call.driverOut().bytes() >= Mlx5CreateAhResp.DMAC.end(),
        Errno.EINVAL,
        "the client has no room for the Ethernet address of an AH");
    HcaPath path =
        session
            .hca()
            .resolve(
                port,
                route.getInt(GlobalRoute.SGID_INDEX),
                Gid.of(route.getBytes(GlobalRoute.DGID)));
    int handle = session.handles().add(new Ah(pd));
    call.reply(View.of(CreateAhResp.STRUCTURE).set(CreateAhResp.AH_HANDLE, handle));
    call.replyOfDriver(
        View.of(Mlx5CreateAhResp.STRUCTURE)
            .set(Mlx5CreateAhResp.RESPONSE_LENGTH, Mlx5CreateAhResp.DMAC.end())
            .setBytes(Mlx5CreateAhResp.DMAC, octets(path.mac())));
  }

  private static byte[] octets(long mac) {
    byte[] word = ByteBuffer.allocate(Long.BYTES).putLong(mac).array();
    return Arrays.copyOfRange(word, Long.BYTES - MAC_BYTES, Long.BYTES);
  }

  public static void destroy(Session session, WriteCall call) throws IOException {
    session.handles().destroy(Ah.class, call.in().getInt(DestroyAh.AH_HANDLE));
  }

  public static void destroy(Session session, IoctlCall call) throws IOException {
    session.handles().destroy(Ah.class, call.handle(DestroyAhAttrs.HANDLE));
  }
}
