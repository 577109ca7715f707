package dev.bluebell.uverbs.session;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.View;

/** The capabilities that a device reports by QUERY_HCA_CAP. */
public final class Capabilities {
  private Capabilities() {}

  /** The general capabilities, {@link CmdHcaCap}. */
  public static View general(Hca hca) {
    return CapabilityType.query(hca::execute, CapabilityType.GENERAL);
  }

  /** The second page of general capabilities, {@link CmdHcaCap2}; all 0 for a device without it. */
  public static View generalSecond(Hca hca) {
    return general(hca).isSet(CmdHcaCap.HCA_CAP_2)
        ? CapabilityType.query(hca::execute, CapabilityType.GENERAL_2)
        : View.of(CmdHcaCap2.STRUCTURE);
  }

  /** The capabilities of atomics, {@link AtomicCaps}. */
  public static View atomic(Hca hca) {
    return CapabilityType.query(hca::execute, CapabilityType.ATOMIC);
  }

  /** The capabilities of memory on demand, {@link OdpCap}; all 0 for a device without it. */
  public static View onDemand(Hca hca) {
    return general(hca).isSet(CmdHcaCap.PG)
        ? CapabilityType.query(hca::execute, CapabilityType.ODP)
        : View.of(OdpCap.STRUCTURE);
  }

  /** The capabilities of device memory, {@link DeviceMemCap}; all 0 for a device without any. */
  public static View deviceMemory(Hca hca) {
    return general(hca).isSet(CmdHcaCap.DEVICE_MEMORY)
        ? CapabilityType.query(hca::execute, CapabilityType.DEV_MEM)
        : View.of(DeviceMemCap.STRUCTURE);
  }
}
