package dev.bluebell.hca.command;

import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.Capabilities.RoceCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

/**
 * The types of capabilities that QUERY_HCA_CAP returns: {@code op_mod} without its lowest bit.
 * Mirrors {@code device.h: mlx5_cap_type} of Linux.
 */
public final class CapabilityType {
  /** See {@link CmdHcaCap}. */
  public static final int GENERAL = 0x00;

  /** The structure {@code per_protocol_networking_offload_caps}. */
  public static final int ETHERNET_OFFLOADS = 0x01;

  /** See {@link OdpCap}. */
  public static final int ODP = 0x02;

  /** See {@link AtomicCaps}. */
  public static final int ATOMIC = 0x03;

  /** See {@link RoceCap}. */
  public static final int ROCE = 0x04;

  /** The structure {@code qos_cap}. */
  public static final int QOS = 0x0c;

  /** See {@link DeviceMemCap}. */
  public static final int DEV_MEM = 0x0f;

  /** The structure {@code crypto_caps}. */
  public static final int CRYPTO = 0x1a;

  /** See {@link CmdHcaCap2}. */
  public static final int GENERAL_2 = 0x20;

  /** The last type of the public headers. */
  public static final int ADV_VIRTUALIZATION = 0x26;

  private static final int CURRENT = 1;

  private static final SequencedMap<Integer, Structure> OF_RDMA = ofRdmaInOrder();

  private CapabilityType() {}

  private static SequencedMap<Integer, Structure> ofRdmaInOrder() {
    SequencedMap<Integer, Structure> structures = new LinkedHashMap<>();
    structures.put(GENERAL, CmdHcaCap.STRUCTURE);
    structures.put(GENERAL_2, CmdHcaCap2.STRUCTURE);
    structures.put(ATOMIC, AtomicCaps.STRUCTURE);
    structures.put(ODP, OdpCap.STRUCTURE);
    structures.put(ROCE, RoceCap.STRUCTURE);
    structures.put(DEV_MEM, DeviceMemCap.STRUCTURE);
    return Collections.unmodifiableSequencedMap(structures);
  }

  /** The types that matter to RDMA, with the layout of the capabilities of each. */
  public static SequencedMap<Integer, Structure> ofRdma() {
    return OF_RDMA;
  }

  /** The layout of the capabilities of a type; empty for a type without a layout in Bluebell. */
  public static Optional<Structure> layout(int type) {
    return switch (type) {
      case ETHERNET_OFFLOADS -> Optional.of(Capabilities.PER_PROTOCOL_NETWORKING_OFFLOAD_CAPS);
      case QOS -> Optional.of(Capabilities.QOS_CAP);
      case CRYPTO -> Optional.of(Capabilities.CRYPTO_CAPS);
      default -> Optional.ofNullable(OF_RDMA.get(type));
    };
  }

  /** {@code op_mod} that requests the current values, not the maximum ones. */
  public static int current(int type) {
    return type << 1 | CURRENT;
  }

  /**
   * Queries the current capabilities of a type.
   *
   * @param execute executes a command
   * @return the capabilities in the layout of the type, such as {@link CmdHcaCap}
   */
  public static View query(UnaryOperator<byte[]> execute, int type) {
    byte[] command =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, current(type))
            .bytes();
    return View.over(View.over(execute.apply(command)).getBytes(QueryHcaCapOut.CAPABILITY));
  }

  /** The type that an {@code op_mod} requests. */
  public static int of(int opMod) {
    return opMod >>> 1;
  }
}
