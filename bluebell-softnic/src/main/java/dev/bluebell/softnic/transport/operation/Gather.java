package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/** Gathers the payload of packets from the data segments of a send WQE. */
public final class Gather {
  private final KeyTable keys;
  private final Staging staging;
  private final int pd;
  private final int qpn;
  private final Fault fault;

  /**
   * @param fault set when {@link #collect} fails
   */
  public Gather(Chip chip, QpIdentity self, Fault fault) {
    keys = chip.keys();
    staging = chip.staging();
    pd = self.pd();
    qpn = self.number();
    this.fault = fault;
  }

  /** Fills in the message fields of a packet from the WQE of a SEND or RDMA WRITE. */
  public static void describe(SendWqe wqe, Packet packet) {
    packet.immediate = wqe.immediate();
    packet.solicited = wqe.isSolicited();
    packet.length = wqe.bytes();
    if (wqe.hasRemoteAddress()) {
      packet.address = wqe.remoteAddress();
      packet.rkey = wqe.rkey();
    }
  }

  /**
   * Collects bytes {@code [skip, skip + bytes)} of a WQE's message into a packet; false when the
   * key of a data segment refuses.
   */
  public boolean collect(SendWqe wqe, long skip, int bytes, Packet packet) {
    if (!DataSegments.collect(
        wqe.list(),
        wqe.listEnd(),
        skip,
        bytes,
        keys,
        pd,
        qpn,
        MemoryKey.LOCAL_READ,
        packet.payload,
        fault)) {
      return false;
    }
    if (packet.payload.isToBeFetched() && !packet.payload.fetch(staging.of(bytes), bytes)) {
      DataSegments.refuseUnreachable(packet.payload, fault);
      return false;
    }
    packet.payloadBytes = bytes;
    return true;
  }
}
