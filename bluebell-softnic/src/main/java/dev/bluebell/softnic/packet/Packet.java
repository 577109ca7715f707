package dev.bluebell.softnic.packet;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * A packet in flight: its header fields, and its payload as a list of memory segments. GID or LID,
 * and QPN, address both ends. It may stand for a train of packets of one message, as with
 * segmentation offload: {@link #packets} is their number, and the opcode is that of the whole train
 * as if it were one packet (a train with opcode SEND Only runs from a SEND First to a SEND Last).
 *
 * <p>The sender reuses it, so it is valid only while it is being delivered. Fields are public
 * because no invariant holds between them: a receiver trusts no packet. Owned by the thread that
 * runs the engine.
 */
public final class Packet {
  private static final int CONGESTION_EXPERIENCED = 3;

  // ---- BTH

  /** See {@link BthOpcode}. */
  public int opcode;

  /** Partition key, 16 bits. */
  public int partitionKey;

  /** The receiver's completion is to raise a solicited event. */
  public boolean solicited;

  /** The responder must acknowledge it. */
  public boolean acknowledge;

  /** 24 bits. */
  public int destinationQpn;

  /** Packet sequence number of the first packet, 24 bits. */
  public int psn;

  /** Number of packets that this stands for; 1 for a READ request. */
  public int packets = 1;

  // ---- local route header of InfiniBand

  /** 16 bits. */
  public int sourceLid;

  /** 16 bits. */
  public int destinationLid;

  /** 0 … 15. */
  public int serviceLevel;

  // ---- network header

  /**
   * True when it has one: every RoCE packet; on InfiniBand, packets of paths with a global route.
   */
  public boolean global;

  /** RoCE v1, which has a global route header and no UDP; otherwise v2. */
  public boolean v1;

  public long sourceGidHigh;
  public long sourceGidLow;
  public long destinationGidHigh;
  public long destinationGidLow;
  public int trafficClass;
  public int hopLimit;
  public int flowLabel;

  /**
   * The sender's queue pair, 24 bits. On the wire only a DETH carries it; within one device, every
   * packet that is not {@link #remote} has it.
   */
  public int sourceQpn;

  // ---- RETH, AtomicETH

  public long address;
  public int rkey;

  /** DMA length: bytes of the whole message. */
  public long length;

  public long swapAdd;
  public long compare;

  // ---- ImmDt, IETH

  /** Immediate, or the key to invalidate. */
  public int immediate;

  // ---- DETH

  public int qkey;

  // ---- dynamic connections

  /** DC access key. */
  public long dcKey;

  /** Stream of the initiator. */
  public int stream;

  /**
   * Session of an initiator's stream with a target; a later one has a larger number, modulo 2^32.
   */
  public int session;

  /** PSN at which a target begins a session it does not know: no earlier request is outstanding. */
  public int sessionPsn;

  // ---- XRCETH

  /** Number of the shared receive queue that an XRC request is for, 24 bits. */
  public int srqn;

  // ---- AETH, AtomicAckETH

  /** See {@link Aeth}. */
  public int syndrome;

  /** Message sequence number: requests that the responder completed, 24 bits. */
  public int msn;

  /** Result of an atomic, as a number. */
  public long original;

  /** High half of the result of a masked atomic on 16 bytes. */
  public long originalHigh;

  // ---- payload

  public final SegmentList payload = new SegmentList();
  public int payloadBytes;

  // ---- beside the wire

  /** The rest of a masked atomic request. */
  public final MaskedOperands masked = new MaskedOperands();

  /** Index of the WQE that it belongs to, 16 bits, for the flight record of its responder. */
  public int wqeIndex;

  /** Why the responder refused; travels only where both ends are this device. */
  public String explanation = "";

  /** The same without the responder's keys, for clients other than the responder's. */
  public String explanationToStrangers = "";

  /** Protection domain of the memory that the explanation is about. */
  public int explainerPd;

  /**
   * True when it came from another device. Its sender is then known by address only, because a BTH
   * does not name the source queue pair, and no queue pair of this device learns its fate.
   */
  public boolean remote;

  /**
   * True when it came from a network and a switch marked it: congestion experienced (CE), both low
   * bits of the traffic class.
   */
  public boolean isMarked() {
    return remote && (trafficClass & CONGESTION_EXPERIENCED) == CONGESTION_EXPERIENCED;
  }

  /** Bytes of a single packet; for a train, the path MTU of its sender, a power of two. */
  public int bytesOfEach() {
    if (packets <= 1 || payloadBytes <= 0) {
      return payloadBytes;
    }
    int logMtu = 0;
    while (Psn.packets(payloadBytes, logMtu) > packets) {
      logMtu++;
    }
    return 1 << logMtu;
  }

  /** Copies everything but the payload from another packet. */
  public void copyHeaders(Packet other) {
    opcode = other.opcode;
    solicited = other.solicited;
    acknowledge = other.acknowledge;
    destinationQpn = other.destinationQpn;
    partitionKey = other.partitionKey;
    psn = other.psn;
    packets = other.packets;
    sourceLid = other.sourceLid;
    destinationLid = other.destinationLid;
    serviceLevel = other.serviceLevel;
    global = other.global;
    v1 = other.v1;
    sourceGidHigh = other.sourceGidHigh;
    sourceGidLow = other.sourceGidLow;
    destinationGidHigh = other.destinationGidHigh;
    destinationGidLow = other.destinationGidLow;
    trafficClass = other.trafficClass;
    hopLimit = other.hopLimit;
    flowLabel = other.flowLabel;
    sourceQpn = other.sourceQpn;
    address = other.address;
    rkey = other.rkey;
    length = other.length;
    swapAdd = other.swapAdd;
    compare = other.compare;
    immediate = other.immediate;
    qkey = other.qkey;
    dcKey = other.dcKey;
    stream = other.stream;
    session = other.session;
    sessionPsn = other.sessionPsn;
    srqn = other.srqn;
    syndrome = other.syndrome;
    msn = other.msn;
    original = other.original;
    originalHigh = other.originalHigh;
    masked.copy(other.masked);
    wqeIndex = other.wqeIndex;
    explanation = other.explanation;
    explanationToStrangers = other.explanationToStrangers;
    explainerPd = other.explainerPd;
    remote = other.remote;
  }

  @Override
  public String toString() {
    return "%s from QP 0x%x to QP 0x%x, PSN 0x%06x, %d packets, %d bytes"
        .formatted(Opcodes.name(opcode), sourceQpn, destinationQpn, psn, packets, payloadBytes);
  }
}
