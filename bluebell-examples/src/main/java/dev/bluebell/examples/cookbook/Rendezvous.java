package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.ValueLayout;

/** A rendezvous: a small message announces a large one, and the receiver fetches it. */
final class Rendezvous {
  private Rendezvous() {}

  /**
   * The sender announces where its data is, and keeps it there until the receiver reports that it
   * has fetched it.
   */
  static void announce(RcQueuePair sender, RemoteMemory data) {
    byte[] announcement = data.bytes();
    sender.send().inline(announcement, 0, announcement.length).signaled(0);
    sender.ringDoorbell();
  }

  /**
   * The receiver now knows the size and allocates just enough memory, not enough for the largest
   * possible message.
   */
  static byte[] fetch(
      ProtectionDomain domain,
      CompletionQueue completions,
      RcQueuePair receiver,
      byte[] announcement) {
    RemoteMemory remote = RemoteMemory.of(announcement);
    try (MemoryRegion landing = domain.allocate(remote.length(), Access.LOCAL_WRITE)) {
      receiver.read(remote).scatter(landing, 0, Math.toIntExact(remote.length())).unsignaled(0);
      // The fence holds this message back until the data is here.
      receiver.send().fence().signaled(0);
      receiver.ringDoorbell();
      Polling.await(completions, 1, Polling::requireSuccess);
      // Use the data here. It is copied only to keep the example short.
      return landing.segment().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Transfers some bytes, and returns the received ones. */
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
      byte[] fetched = fetch(domain, rights, right, announcement);
      // Completions of the announcement, and of the message that the data was fetched.
      Polling.await(lefts, 2, Polling::requireSuccess);
      return fetched;
    }
  }
}
