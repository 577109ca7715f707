package dev.bluebell.lab.paper;

import dev.bluebell.verbs.MemoryRegion;

/**
 * The requests of RedN's hash get, posted for some calls of one client. A message starts the
 * worker, which reads a bucket and compares its key; if the key is found, the queue to the client
 * answers with the value. Bucket and fields are scratch memory, which takes the same time as fields
 * of WQEs.
 */
final class Gets {
  private static final int ARGUMENTS = 16;
  private static final int FIELD = 8;
  private static final int FIELDS = 64;

  /** WQEBBs of the WAIT for the message, and the SEND_EN of the rest. */
  private static final int HEAD = 2;

  /** WQEBBs of the READ, the compare-and-swap, the WAIT for it, and the SEND_EN of the answer. */
  private static final int REST = 4;

  private final Queue asking;
  private final Queue worker;
  private final Queue answering;
  private final MemoryRegion fields;

  /**
   * @param value the value in the answers
   * @param found for each call, whether it finds its key
   */
  Gets(Testbed bed, Node server, Client client, MemoryRegion value, boolean... found) {
    asking = client.queue();
    answering = server.managed();
    asking.connect(answering);
    worker = Node.looped(server.managed(), Node.ONE_READ);
    fields = server.memory(FIELDS);
    for (int call = 0; call < found.length; call++) {
      compare(call, call == found.length - 1);
      answer(found[call], value, client);
    }
    server.loopedMaster().enable(worker, HEAD).ring();
    bed.rest();
  }

  /** The client's queue for messages. */
  Queue asking() {
    return asking;
  }

  private void compare(int call, boolean last) {
    answering.pair().receive().scatter(fields, 48, ARGUMENTS).post(0);
    answering.pair().ringReceiveDoorbell();
    int next = last ? 0 : HEAD;
    worker.await(answering.receives(), call);
    worker.enable(worker, worker.index() + 1 + REST + next);
    worker
        .pair()
        .read(fields.remote())
        .scatter(fields, 16, FIELD)
        .scatter(fields, 24, FIELD)
        .unsignaled(0);
    worker
        .pair()
        .compareAndSwap(fields.address() + 32, fields.rkey(), 0, 1)
        .scatter(fields, 40)
        .fence()
        .signaled(0);
    worker.await(worker, call).enable(answering, answering.index() + 1);
  }

  private void answer(boolean found, MemoryRegion value, Client client) {
    if (found) {
      answering
          .pair()
          .writeImmediate(client.result().remote(), 0)
          .gather(value, 0, (int) value.length())
          .unsignaled(0);
    } else {
      answering.pair().nop().unsignaled(0);
    }
  }
}
