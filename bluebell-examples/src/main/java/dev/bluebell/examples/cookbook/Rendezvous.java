package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.ValueLayout;

/** A large message is announced by a small one; who wants it fetches it. */
final class Rendezvous {
  private Rendezvous() {}

  /**
   * The sender says where its data lies, and leaves it there until it hears that it was fetched.
   */
  static void announce(RcQueuePair sender, RemoteMemory data) {
    byte[] announcement = data.bytes();
    sender.send().inline(announcement, 0, announcement.length).signaled(0);
    sender.ringDoorbell();
  }

  /**
   * The receiver knows the size now, so it has memory for it, and needs none for a largest message.
   */
  static MemoryRegion fetch(
      ProtectionDomain domain,
      CompletionQueue completions,
      RcQueuePair receiver,
      byte[] announcement) {
    RemoteMemory remote = RemoteMemory.of(announcement);
    MemoryRegion landing = domain.allocate(remote.length(), Access.LOCAL_WRITE);
    receiver.read(remote).scatter(landing, 0, Math.toIntExact(remote.length())).unsignaled(0);
    // The fence holds this message back until the data is here.
    receiver.send().fence().signaled(0);
    receiver.ringDoorbell();
    Polling.await(completions, 1, Polling::requireSuccess);
    return landing;
  }

  /** Lets some bytes travel, and returns those that came. */
  static byte[] run(Device device, byte[] data) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion source = domain.allocate(data.length, Access.REMOTE_READ);
        MemoryRegion mailbox = domain.allocate(RemoteMemory.BYTES, Access.LOCAL_WRITE);
        CompletionQueue lefts = device.createCompletionQueue(16);
        CompletionQueue rights = device.createCompletionQueue(16);
        RcQueuePair left = domain.rcQueuePair(lefts).create();
        RcQueuePair right = domain.rcQueuePair(rights).create()) {
      Polling.connect(left, right);
      left.receive().empty().post(0);
      left.ringReceiveDoorbell();
      right.receive().scatter(mailbox, 0, RemoteMemory.BYTES).post(0);
      right.ringReceiveDoorbell();

      source.segment().asByteBuffer().put(data);
      announce(left, source.remote());
      Polling.await(rights, 1, Polling::requireSuccess);
      byte[] announcement = mailbox.segment().toArray(ValueLayout.JAVA_BYTE);
      try (MemoryRegion landing = fetch(domain, rights, right, announcement)) {
        // The announcement was sent, and the word came that the data was fetched.
        Polling.await(lefts, 2, Polling::requireSuccess);
        return landing.segment().toArray(ValueLayout.JAVA_BYTE);
      }
    }
  }
}
