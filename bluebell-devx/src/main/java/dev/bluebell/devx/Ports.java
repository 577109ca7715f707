package dev.bluebell.devx;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.VportCommands.RoceAddrLayout;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CallAbi.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.GidEntry;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryGidEntryAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortAttrs;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortRespEx;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.CreateAh;
import dev.bluebell.hca.uverbs.PdAbi.CreateAhResp;
import dev.bluebell.hca.uverbs.PdAbi.DestroyAhAttrs;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.hca.uverbs.PdAbi.Mlx5CreateAhResp;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.hca.uverbs.WriteCommandNumber;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** The ports of a device: their state, their GIDs, and the paths to peers. Thread-safe. */
final class Ports {
  // ib_verbs.h: ib_port_state, ib_port_width.
  private static final int ACTIVE = 4;
  private static final int WIDTH_1X = 1;
  private static final int WIDTH_4X = 2;
  private static final int WIDTH_8X = 4;
  private static final int WIDTH_12X = 8;
  private static final int WIDTH_2X = 16;

  /** {@code verbs.h: IBV_LINK_LAYER_INFINIBAND}. */
  private static final int INFINIBAND = 1;

  /** {@code ib_user_ioctl_verbs.h: IB_UVERBS_QPF_GRH_REQUIRED}. */
  private static final int GLOBAL_ROUTE_REQUIRED = 1;

  /** Bytes of MTU code 0, {@code ib_verbs.h: ib_mtu}. */
  private static final int MTU_OF_0 = 128;

  private static final int HOP_LIMIT = 64;

  // Source ports of RoCE v2, rdma_cm.h: IB_ROCE_UDP_ENCAP_VALID_PORT_MIN.
  private static final int MIN_SOURCE_PORT = 0xc000;
  private static final int SOURCE_PORTS = 0x4000;

  private final UverbsFile file;
  private final UnaryOperator<byte[]> executor;

  /** Paths to one peer use different source ports, so switches spread them. */
  private final AtomicInteger paths = new AtomicInteger();

  /**
   * @param executor executes commands that belong to no object
   */
  Ports(UverbsFile file, UnaryOperator<byte[]> executor) {
    this.file = file;
    this.executor = executor;
  }

  HcaPort query(int number) {
    Ioctl ioctl =
        file.require(
            "querying port %d".formatted(number),
            Ioctl.of(QueryPortAttrs.METHOD)
                .number(QueryPortAttrs.PORT_NUM, number)
                .output(QueryPortAttrs.RESP, QueryPortRespEx.STRUCTURE.bytes()));
    View port = ioctl.view(QueryPortAttrs.RESP).at(QueryPortRespEx.LEGACY_RESP);
    return port(number, port, isInfiniBand(port) ? 0 : mac(number));
  }

  private static boolean isInfiniBand(View port) {
    return port.getInt(QueryPortResp.LINK_LAYER) == INFINIBAND;
  }

  /** The state of a port in a {@link QueryPortResp}. */
  static HcaPort port(int number, View port, long mac) {
    return new HcaPort(
        number,
        isInfiniBand(port) ? LinkLayer.INFINIBAND : LinkLayer.ETHERNET,
        port.getInt(QueryPortResp.STATE) == ACTIVE,
        MTU_OF_0 << port.getInt(QueryPortResp.ACTIVE_MTU),
        MTU_OF_0 << port.getInt(QueryPortResp.MAX_MTU),
        port.getInt(QueryPortResp.GID_TBL_LEN),
        port.getInt(QueryPortResp.PKEY_TBL_LEN),
        mac,
        port.getInt(QueryPortResp.LID),
        port.getInt(QueryPortResp.LMC),
        port.getInt(QueryPortResp.SM_LID),
        lanes(port.getInt(QueryPortResp.ACTIVE_WIDTH))
            * laneMbps(port.getInt(QueryPortResp.ACTIVE_SPEED)),
        (port.getInt(QueryPortResp.FLAGS) & GLOBAL_ROUTE_REQUIRED) != 0);
  }

  /**
   * The source Ethernet address, of the first entry of the GID table; 0 when the card does not tell
   * it, for example because RoCE is switched off.
   */
  long mac(int port) {
    byte[] command =
        View.command(QueryRoceAddressIn.STRUCTURE, CommandOpcode.QUERY_ROCE_ADDRESS)
            .set(QueryRoceAddressIn.VHCA_PORT_NUM, port)
            .bytes();
    byte[] output;
    try {
      output = executor.apply(command);
    } catch (DeviceLostException e) {
      throw e;
    } catch (HcaException e) {
      return 0;
    }
    View address = View.over(output).at(QueryRoceAddressOut.ROCE_ADDRESS);
    return address.get(RoceAddrLayout.SOURCE_MAC_47_32) << 32
        | address.get(RoceAddrLayout.SOURCE_MAC_31_0);
  }

  private static int lanes(int width) {
    return switch (width) {
      case WIDTH_1X -> 1;
      case WIDTH_2X -> 2;
      case WIDTH_4X -> 4;
      case WIDTH_8X -> 8;
      case WIDTH_12X -> 12;
      default -> 0;
    };
  }

  /** Megabits per second per lane, {@code ib_verbs.h: ib_port_speed}, named SDR to NDR. */
  private static long laneMbps(int speed) {
    return switch (speed) {
      case 1 -> 2_500;
      case 2 -> 5_000;
      case 4, 8 -> 10_000;
      case 16 -> 14_000;
      case 32 -> 25_000;
      case 64 -> 50_000;
      case 128 -> 100_000;
      default -> 0;
    };
  }

  Gid gid(int port, int index) {
    return entry(port, index).map(entry -> Gid.of(entry.getBytes(GidEntry.GID))).orElse(Gid.ZERO);
  }

  /** True for an entry of the GID table whose packets are of RoCE v2. */
  boolean isRoceV2(int port, int index) {
    return entry(port, index)
        .filter(entry -> entry.getInt(GidEntry.GID_TYPE) == Verbs.GID_TYPE_ROCE_V2)
        .isPresent();
  }

  /** An entry of the GID table, unless it is empty. */
  private Optional<View> entry(int port, int index) {
    Ioctl ioctl =
        Ioctl.of(QueryGidEntryAttrs.METHOD)
            .number(QueryGidEntryAttrs.PORT, port)
            .number(QueryGidEntryAttrs.GID_INDEX, index)
            .word(QueryGidEntryAttrs.FLAGS, 0)
            .output(QueryGidEntryAttrs.RESP_ENTRY, GidEntry.STRUCTURE.bytes());
    int errno = file.call(ioctl);
    return switch (errno) {
      case 0 -> Optional.of(ioctl.view(QueryGidEntryAttrs.RESP_ENTRY));
      case Errno.ENODATA -> Optional.empty();
      default ->
          throw file.refusals().call("querying GID %d of port %d".formatted(index, port), errno);
    };
  }

  HcaPath resolve(int port, int gidIndex, Gid destination) {
    return query(port).linkLayer() == LinkLayer.INFINIBAND
        ? resolveInfiniBand(port, destination)
        : resolveEthernet(port, gidIndex, destination);
  }

  // The LIDs of other ports are known only to the subnet manager.
  private HcaPath resolveInfiniBand(int port, Gid destination) {
    return new HcaPath(0, destination.equals(gid(port, 0)) ? query(port).lid() : 0, HOP_LIMIT, 0);
  }

  private int nextSourcePort() {
    return MIN_SOURCE_PORT + (paths.getAndIncrement() & SOURCE_PORTS - 1);
  }

  private HcaPath resolveEthernet(int port, int gidIndex, Gid destination) {
    int sourcePort = isRoceV2(port, gidIndex) ? nextSourcePort() : 0;
    // A path without a destination belongs to an initiator of dynamic connections.
    long mac = destination.equals(Gid.ZERO) ? 0 : neighbour(port, gidIndex, destination);
    return new HcaPath(mac, 0, HOP_LIMIT, sourcePort);
  }

  /**
   * The Ethernet address of the next hop: the kernel resolves it when it creates an address handle.
   */
  private long neighbour(int port, int gidIndex, Gid destination) {
    try (KernelDomain domain = KernelDomain.allocate(file)) {
      return neighbour(domain.handle(), port, gidIndex, destination);
    }
  }

  private long neighbour(int domain, int port, int gidIndex, Gid destination) {
    View request = View.of(CreateAh.STRUCTURE).set(CreateAh.PD_HANDLE, domain);
    View attr = request.at(CreateAh.ATTR).set(AhAttr.IS_GLOBAL, true).set(AhAttr.PORT_NUM, port);
    attr.at(AhAttr.GRH)
        .setBytes(GlobalRoute.DGID, destination.bytes())
        .set(GlobalRoute.SGID_INDEX, gidIndex)
        .set(GlobalRoute.HOP_LIMIT, HOP_LIMIT);
    Ioctl ioctl =
        Ioctl.of(InvokeWriteAttrs.METHOD)
            .number(InvokeWriteAttrs.WRITE_CMD, WriteCommandNumber.CREATE_AH)
            .input(InvokeWriteAttrs.CORE_IN, request.bytes())
            .output(InvokeWriteAttrs.CORE_OUT, CreateAhResp.STRUCTURE.bytes())
            .output(InvokeWriteAttrs.UHW_OUT, Mlx5CreateAhResp.STRUCTURE.bytes());
    int errno = file.call(ioctl);
    if (errno != 0) {
      throw unreachable(port, gidIndex, destination, errno);
    }
    Ioctl unused =
        file.require(
            "destroying an address handle",
            Ioctl.of(DestroyAhAttrs.METHOD)
                .handle(
                    DestroyAhAttrs.HANDLE,
                    ioctl.view(InvokeWriteAttrs.CORE_OUT).getInt(CreateAhResp.AH_HANDLE)));
    long mac = 0;
    for (byte octet : ioctl.view(InvokeWriteAttrs.UHW_OUT).getBytes(Mlx5CreateAhResp.DMAC)) {
      mac = mac << 8 | octet & 0xff;
    }
    return mac;
  }

  private HcaException unreachable(int port, int gidIndex, Gid destination, int errno) {
    return gid(port, gidIndex).equals(Gid.ZERO)
        ? file.refusals().address("entry %d of the GID table is empty".formatted(gidIndex))
        : file.refusals()
            .unresolved(
                "from GID %d of port %d to %s".formatted(gidIndex, port, destination), errno);
  }
}
