package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.SidrRep;
import dev.bluebell.roce.packet.CmMad.SidrReq;
import dev.bluebell.softnic.packet.Packet;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Rejects service requests (SIDR_REQ of the communication manager) to QP 1 of a device that has no
 * communication manager: the SIDR_REP says that the service is not supported. Linux gives the same
 * answer for a service on which no application listens. The answer shows the peer that the device
 * is there. Mirrors chapter 12 of volume 1 of the InfiniBand specification. Allocates nothing after
 * its creation. Owned by the thread that runs the engine.
 */
final class ServiceAnswers {
  private static final int UNSUPPORTED = 1;

  private final ByteBuffer mad = ByteBuffer.allocateDirect(CmMad.BYTES);
  private final long address = MemorySegment.ofBuffer(mad).address();
  private final Packet answer = new Packet();

  /**
   * The answer to a datagram for {@link CmMad#QPN} that {@link ManagementQueue#isManagement}
   * accepts. Valid until the next call; null when the datagram does not ask for a service.
   */
  @Nullable Packet to(Packet request) {
    request.payload.copyTo(address, CmMad.BYTES);
    if (!Message.SIDR_REQ.is(mad, 0)) {
      return null;
    }
    long transaction = CmMad.TRANSACTION.get(mad, 0);
    int number = SidrReq.REQUEST_ID.getInt(mad, CmMad.BODY);
    long service = SidrReq.SERVICE_ID.get(mad, CmMad.BODY);
    Message.SIDR_REP.begin(mad, 0, transaction);
    SidrRep.REQUEST_ID.put(mad, CmMad.BODY, number);
    SidrRep.STATUS.put(mad, CmMad.BODY, UNSUPPORTED);
    SidrRep.SERVICE_ID.put(mad, CmMad.BODY, service);
    answer.opcode = request.opcode;
    answer.partitionKey = request.partitionKey;
    answer.destinationQpn = request.sourceQpn;
    answer.sourceQpn = CmMad.QPN;
    answer.qkey = CmMad.QUEUE_KEY;
    answer.packets = 1;
    answer.sourceGidHigh = request.destinationGidHigh;
    answer.sourceGidLow = request.destinationGidLow;
    answer.destinationGidHigh = request.sourceGidHigh;
    answer.destinationGidLow = request.sourceGidLow;
    answer.payload.clear();
    answer.payload.add(address, CmMad.BYTES);
    answer.payloadBytes = CmMad.BYTES;
    return answer;
  }
}
