package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * A request on its way to a responder: what BTH, RETH, AtomicETH, ImmDt and IETH say, and the
 * payload. Reused by its requester: valid only while it is being delivered. A fabric may carry
 * several packets of one message in one request; {@code packets} tells how many PSNs it stands for.
 */
public final class Request {
  /**
   * Wire operations are named by the work request's opcode, see {@link
   * dev.bluebell.hca.wqe.WqeOpcode}.
   */
  int opcode;

  /** RC, UC or UD. */
  ServiceType service = ServiceType.RC;

  boolean first;
  boolean last;
  boolean acknowledge;
  boolean solicited;
  int destinationQpn;
  int sourceQpn;
  long sourceGidHigh;
  long sourceGidLow;
  int psn;
  int packets;

  /** RETH or AtomicETH, on the first packet. */
  long address;

  int rkey;
  long length;

  /** Immediate, or the key to invalidate, on the last packet. */
  int immediate;

  long swapAdd;
  long compare;

  /** Bytes of this request; READs and atomics have none. */
  final SegmentList payload = new SegmentList();

  int payloadBytes;

  /** Datagrams: Q_Key of the DETH, and what the network header says. */
  int qkey;

  long destinationGidHigh;
  long destinationGidLow;
  int trafficClass;
  int hopLimit;
  int flowLabel;

  public ServiceType service() {
    return service;
  }

  public int sourceQpn() {
    return sourceQpn;
  }

  public int destinationQpn() {
    return destinationQpn;
  }

  public int psn() {
    return psn;
  }

  public int opcode() {
    return opcode;
  }
}
