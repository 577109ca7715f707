package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;

/** The capabilities that a device claims, as QUERY_HCA_CAP answers. */
public final class Capabilities {
  private Capabilities() {}

  private static View query(Hca hca, int type) {
    byte[] output =
        hca.execute(
            View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
                .set(CmdIn.OP_MOD, CapabilityType.current(type))
                .bytes());
    return View.over(View.over(output).getBytes(QueryHcaCapOut.CAPABILITY));
  }

  /** The general capabilities, {@link CmdHcaCap}. */
  public static View general(Hca hca) {
    return query(hca, CapabilityType.GENERAL);
  }

  /** The second page of general capabilities, {@link CmdHcaCap2}; all 0 for a device without it. */
  public static View generalSecond(Hca hca) {
    return general(hca).isSet(CmdHcaCap.HCA_CAP_2)
        ? query(hca, CapabilityType.GENERAL_2)
        : View.of(CmdHcaCap2.STRUCTURE);
  }

  /** The capabilities of atomics, {@link AtomicCaps}. */
  public static View atomic(Hca hca) {
    return query(hca, CapabilityType.ATOMIC);
  }

  /** What is on demand, {@link OdpCap}; all 0 for a device where nothing is. */
  public static View onDemand(Hca hca) {
    return general(hca).isSet(CmdHcaCap.PG)
        ? query(hca, CapabilityType.ODP)
        : View.of(OdpCap.STRUCTURE);
  }

  /** The capabilities of device memory, {@link DeviceMemCap}; all 0 for a device without any. */
  public static View deviceMemory(Hca hca) {
    return general(hca).isSet(CmdHcaCap.DEVICE_MEMORY)
        ? query(hca, CapabilityType.DEV_MEM)
        : View.of(DeviceMemCap.STRUCTURE);
  }
}
