package com.example;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;

/** Writes a message from one queue pair to the other and looks at what arrived. */
public final class Main {
  private static final String MESSAGE = "written over RDMA";

  private Main() {}

  public static void main(String[] arguments) {
    try (Device device = Device.open();
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair left = domain.rcQueuePair(completions).create();
        RcQueuePair right = domain.rcQueuePair(completions).create()) {
      left.connect(right.endpoint());
      right.connect(left.endpoint());
      memory.segment().setString(0, MESSAGE);
      left.write(memory.remote().slice(4096, 32)).gather(memory, 0, 32).signaled(42);
      left.ringDoorbell();
      while (completions.poll(completion -> System.out.println(completion.status())) == 0) {
        Thread.onSpinWait();
      }
      if (!memory.segment().getString(4096).equals(MESSAGE)) {
        throw new IllegalStateException("the message did not arrive");
      }
    }
  }
}
