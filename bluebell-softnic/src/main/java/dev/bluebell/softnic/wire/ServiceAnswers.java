package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Answers peers that ask QP 1 of this device for a service (SIDR_REQ of the communication manager)
 * that nothing here offers it (SIDR_REP). Linux answers so for a service on which no application
 * listens. By the answer, a peer knows that the device is there. Mirrors chapter 12 of volume 1 of
 * the InfiniBand specification. Allocates nothing after its creation. Owned by whoever runs the
 * engine.
 */
final class ServiceAnswers {
  /** The queue pair that all management datagrams but those of the subnet are for. */
  static final int QPN = 1;

  private static final int QUEUE_KEY = 0x8001_0000;
  private static final int DEFAULT_PARTITION = 0x7fff;
  private static final int BYTES = 256;

  /** Base version 1, class of the communication manager, its version 2, method Send. */
  private static final int SEND = 0x01_07_02_03;

  private static final int ATTRIBUTE_AT = 16;
  private static final short SIDR_REQ = 0x17;
  private static final short SIDR_REP = 0x18;

  // Behind the common header; SIDR_REP has the same request number.
  private static final int ASKED_SERVICE_AT = 32;
  private static final int STATUS_AT = 28;
  private static final int SERVICE_AT = 36;
  private static final byte UNSUPPORTED = 1;

  private final ByteBuffer mad = ByteBuffer.allocateDirect(BYTES);
  private final long address = MemorySegment.ofBuffer(mad).address();
  private final byte[] zeros = new byte[BYTES - STATUS_AT];
  private final Packet answer = new Packet();

  /**
   * The answer to a datagram for {@link #QPN}, valid until the next call; null when the datagram
   * asks for no service.
   */
  @Nullable Packet to(Packet request) {
    if (request.opcode != (BthOpcode.UD | BthOpcode.SEND_ONLY)
        || request.qkey != QUEUE_KEY
        || (request.partitionKey & DEFAULT_PARTITION) != DEFAULT_PARTITION
        || request.payloadBytes != BYTES) {
      return null;
    }
    request.payload.copyTo(address, BYTES);
    if (mad.getInt(0) != SEND || mad.getShort(ATTRIBUTE_AT) != SIDR_REQ) {
      return null;
    }
    long service = mad.getLong(ASKED_SERVICE_AT);
    mad.putShort(ATTRIBUTE_AT, SIDR_REP);
    mad.put(STATUS_AT, zeros);
    mad.put(STATUS_AT, UNSUPPORTED);
    mad.putLong(SERVICE_AT, service);
    answer.opcode = request.opcode;
    answer.partitionKey = request.partitionKey;
    answer.destinationQpn = request.sourceQpn;
    answer.sourceQpn = QPN;
    answer.qkey = QUEUE_KEY;
    answer.packets = 1;
    answer.sourceGidHigh = request.destinationGidHigh;
    answer.sourceGidLow = request.destinationGidLow;
    answer.destinationGidHigh = request.sourceGidHigh;
    answer.destinationGidLow = request.sourceGidLow;
    answer.payload.clear();
    answer.payload.add(address, BYTES);
    answer.payloadBytes = BYTES;
    return answer;
  }
}
