package dev.bluebell.cli.ping;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.SidrRep;
import dev.bluebell.roce.packet.CmMad.SidrReq;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks devices for a service that does not exist (SIDR_REQ) and waits for their answers (SIDR_REP).
 * Mirrors chapter 12 of volume 1 of the InfiniBand specification. For one thread.
 */
final class Questions implements AutoCloseable {
  /** UDP port of RoCEv2. */
  static final int UDP_PORT = 4791;

  private static final int MTU = 1024;
  private static final int RECEIVES = 16;
  private static final long PAUSE_NANOS = 10_000;

  private static final int SLOT_BYTES = 512;
  private static final int PARTITION = 0xffff;

  /** A service ID in UDP's port space (RDMA_PS_UDP of Linux): the port of TCP's multiplexer, 1. */
  private static final long SERVICE = 0x0111_0001L;

  private final ProtectionDomain domain;
  private final MemoryRegion memory;
  private final CompletionQueue sends;
  private final CompletionQueue receives;
  private final UdQueuePair queuePair;
  private final ByteBuffer bytes;

  // The number tells late answers apart, also answers to another process; hence a random start.
  private int number = new SecureRandom().nextInt();

  Questions(Device device) {
    domain = device.allocateProtectionDomain();
    memory = domain.allocate((RECEIVES + 1) * SLOT_BYTES, Access.LOCAL_WRITE);
    bytes = memory.segment().asByteBuffer();
    sends = device.createCompletionQueue(RECEIVES);
    receives = device.createCompletionQueue(RECEIVES);
    queuePair =
        domain
            .udQueuePair(sends)
            .receiveCompletions(receives)
            .receiveQueue(RECEIVES)
            .queueKey(CmMad.QUEUE_KEY)
            .create();
    for (int slot = 1; slot <= RECEIVES; slot++) {
      receive(slot);
    }
  }

  private void receive(int slot) {
    queuePair.receive().scatter(memory, (long) slot * SLOT_BYTES, SLOT_BYTES).post(slot);
    queuePair.ringReceiveDoorbell();
  }

  /**
   * Asks a device.
   *
   * @return nanoseconds until the answer; −1 on timeout
   */
  long ask(InetAddress address, Duration patience) {
    byte[] ip = address.getAddress();
    Gid gid = ip.length == Integer.BYTES ? Gid.ofIpv4(ByteBuffer.wrap(ip).getInt()) : Gid.of(ip);
    AddressHandle peer =
        queuePair.addressHandle(new UdEndpoint(gid, CmMad.QPN, CmMad.QUEUE_KEY, MTU));
    number++;
    Message.SIDR_REQ.begin(bytes, 0, number);
    SidrReq.REQUEST_ID.put(bytes, CmMad.BODY, number);
    SidrReq.P_KEY.put(bytes, CmMad.BODY, PARTITION);
    SidrReq.SERVICE_ID.put(bytes, CmMad.BODY, SERVICE);
    long start = System.nanoTime();
    queuePair.to(peer).send().gather(memory, 0, CmMad.BYTES).signaled(0);
    queuePair.ringDoorbell();
    long waited;
    boolean answered;
    do {
      answered = hasAnswered();
      waited = System.nanoTime() - start;
      if (!answered) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } while (!answered && waited < patience.toNanos());
    sends.poll(completion -> {});
    return answered ? waited : -1;
  }

  /** Takes all arrived messages; true if the answer to the last question is among them. */
  private boolean hasAnswered() {
    boolean answered = false;
    for (Completion next = receives.poll(); next != null; next = receives.poll()) {
      int slot = (int) next.id();
      int mad = slot * SLOT_BYTES + UdQueuePair.HEADER_BYTES;
      answered |=
          next.isSuccess()
              && next.byteCount() == UdQueuePair.HEADER_BYTES + CmMad.BYTES
              && Message.SIDR_REP.is(bytes, mad)
              && SidrRep.REQUEST_ID.getInt(bytes, mad + CmMad.BODY) == number;
      receive(slot);
    }
    return answered;
  }

  @Override
  public void close() {
    queuePair.close();
    receives.close();
    sends.close();
    memory.close();
    domain.close();
  }
}
