package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.command.CounterCommands.QueryCongStatisticsOut;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;

/**
 * The counters of the device since it was opened: packets of the port, and errors of all queue
 * pairs together. Owned by the thread that runs the engine.
 */
public final class Counters {
  /** Ethernet, IPv6 without options or IPv4, UDP, BTH and ICRC; longer headers are not counted. */
  public static final int HEADER_BYTES = 14 + 20 + 8 + 12 + 4;

  private static final int MAX_VIOLATIONS = 0xffff;

  private final long[] queues = new long[QueueCounter.values().length];
  private final long[] congestion = new long[CongestionCounter.values().length];
  private long sentPackets;
  private long sentBytes;
  private long receivedPackets;
  private long receivedBytes;
  private long unwantedPackets;
  private int partitionKeyViolations;
  private int queueKeyViolations;

  /** Counts packets that the port sent. */
  public void sent(int packets, long payload) {
    sentPackets += packets;
    sentBytes += payload + (long) packets * HEADER_BYTES;
  }

  /** Counts packets that the port received. */
  public void received(int packets, long payload) {
    receivedPackets += packets;
    receivedBytes += payload + (long) packets * HEADER_BYTES;
  }

  /**
   * Counts a complete packet from the network that had no effect: its queue pair does not exist,
   * has another peer, or does not accept such a packet now.
   */
  public void unwanted() {
    unwantedPackets++;
  }

  /** Number of {@link #unwanted} packets. */
  public long unwantedPackets() {
    return unwantedPackets;
  }

  /** Counts a packet whose partition key is not the receiver's. */
  public void partitionKeyViolation() {
    partitionKeyViolations = Math.min(partitionKeyViolations + 1, MAX_VIOLATIONS);
  }

  /** Counts a datagram whose queue key is not the receiver's. */
  public void queueKeyViolation() {
    queueKeyViolations = Math.min(queueKeyViolations + 1, MAX_VIOLATIONS);
  }

  /** Number of calls of {@link #partitionKeyViolation}; saturates at 16 bits. */
  public int partitionKeyViolations() {
    return partitionKeyViolations;
  }

  /** Number of calls of {@link #queueKeyViolation}; saturates at 16 bits. */
  public int queueKeyViolations() {
    return queueKeyViolations;
  }

  public void count(QueueCounter counter) {
    queues[counter.ordinal()]++;
  }

  public void count(QueueCounter counter, int times) {
    queues[counter.ordinal()] += times;
  }

  public void count(CongestionCounter counter) {
    congestion[counter.ordinal()]++;
  }

  public long value(CongestionCounter counter) {
    return congestion[counter.ordinal()];
  }

  public long value(QueueCounter counter) {
    return queues[counter.ordinal()];
  }

  /**
   * Counts a request or receive that completed with an error.
   *
   * @param opcode of the CQE: REQ_ERR or RESP_ERR
   */
  public void failed(int opcode, int syndrome) {
    if (opcode == CqeOpcode.REQ_ERR) {
      count(QueueCounter.REQUESTER_CQE);
      switch (syndrome) {
        case Syndrome.LOCAL_LENGTH_ERR -> count(QueueCounter.REQUESTER_LENGTH);
        case Syndrome.LOCAL_QP_OP_ERR -> count(QueueCounter.REQUESTER_OPERATION);
        case Syndrome.LOCAL_PROT_ERR -> count(QueueCounter.REQUESTER_PROTECTION);
        case Syndrome.WR_FLUSH_ERR -> count(QueueCounter.REQUESTER_FLUSH);
        case Syndrome.MW_BIND_ERR -> count(QueueCounter.BINDING);
        case Syndrome.BAD_RESP_ERR -> count(QueueCounter.BAD_RESPONSE);
        case Syndrome.REMOTE_INVAL_REQ_ERR -> count(QueueCounter.REQUESTER_INVALID_REQUEST);
        case Syndrome.REMOTE_ACCESS_ERR -> count(QueueCounter.REQUESTER_ACCESS);
        case Syndrome.REMOTE_OP_ERR -> count(QueueCounter.REMOTE_OPERATION);
        case Syndrome.TRANSPORT_RETRY_EXC_ERR -> count(QueueCounter.RETRIES_EXCEEDED);
        default -> {}
      }
    } else {
      count(QueueCounter.RESPONDER_CQE);
      switch (syndrome) {
        case Syndrome.LOCAL_LENGTH_ERR -> count(QueueCounter.RESPONDER_LENGTH);
        case Syndrome.LOCAL_QP_OP_ERR -> count(QueueCounter.RESPONDER_OPERATION);
        case Syndrome.LOCAL_PROT_ERR -> count(QueueCounter.RESPONDER_PROTECTION);
        case Syndrome.WR_FLUSH_ERR -> count(QueueCounter.RESPONDER_FLUSH);
        default -> {}
      }
    }
  }

  /** The output of QUERY_Q_COUNTER; its counters have 32 bits and wrap around. */
  public View queues() {
    View out = View.of(QueryQCounterOut.STRUCTURE);
    for (QueueCounter counter : QueueCounter.values()) {
      out.set(counter.field(), (int) value(counter));
    }
    return out;
  }

  /** The output of QUERY_CONG_STATISTICS. */
  public View congestion() {
    View out = View.of(QueryCongStatisticsOut.STRUCTURE);
    for (CongestionCounter counter : CongestionCounter.values()) {
      out.set(counter.field(), value(counter));
    }
    return out;
  }

  /** The output of QUERY_VPORT_COUNTER. */
  public View traffic() {
    return View.of(QueryVportCounterOut.STRUCTURE)
        .set(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS, sentPackets)
        .set(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_OCTETS, sentBytes)
        .set(QueryVportCounterOut.RECEIVED_IB_UNICAST_PACKETS, receivedPackets)
        .set(QueryVportCounterOut.RECEIVED_IB_UNICAST_OCTETS, receivedBytes);
  }
}
