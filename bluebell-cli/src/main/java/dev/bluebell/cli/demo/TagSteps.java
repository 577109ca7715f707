package dev.bluebell.cli.demo;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.RendezvousTarget;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;

/** Tag matching. */
final class TagSteps {
  private static final int BYTES = 64;
  private static final int LONG_BYTES = 1 << 15;
  private static final int TAGS = 8;
  private static final long STRIDE = 1024;
  private static final long FIRST_TAG = 0x1000;
  private static final long WHOLE = -1;

  private TagSteps() {}

  /** Messages arrive in the reverse order of the tags, and then one without a matching tag. */
  static String match(Stage stage) {
    Side left = stage.side(16384);
    Place right = stage.place();
    TagMatchingReceiveQueue receives =
        stage.domain().tagMatchingReceiveQueue(right.completions()).create();
    RcQueuePair to = stage.domain().rcQueuePair(right.completions()).receiveFrom(receives).create();
    Stage.connect(left.queuePair(), to);
    for (int i = 0; i <= TAGS; i++) {
      TagHeader.eager(left.segment(), STRIDE * i, FIRST_TAG + i, i);
      left.fill(STRIDE * i + TagHeader.BYTES, BYTES, 70 + i);
    }
    receives.receive().scatter(right.region(), STRIDE * TAGS, TagHeader.BYTES + BYTES).post(TAGS);
    receives.ringReceiveDoorbell();
    for (int i = 0; i < TAGS; i++) {
      int unused =
          receives
              .add(FIRST_TAG + i, WHOLE)
              .scatter(right.region(), STRIDE * i, BYTES)
              .signaled(100 + i, i);
    }
    receives.ringDoorbell();
    for (int i = 0; i < TAGS; i++) {
      Check.equal("the id of the added tag", 100L + i, right.await().id());
    }
    stage.start();
    for (int i = TAGS - 1; i >= 0; i--) {
      send(left, i);
      Check.equal("the id of the message", (long) i, right.await().id());
    }
    send(left, TAGS);
    Check.equal("the id of the unexpected message", (long) TAGS, right.await().id());
    stage.stop();
    for (int i = 0; i < TAGS; i++) {
      right.expect(STRIDE * i, BYTES, 70 + i);
    }
    Check.equal("the tag", FIRST_TAG + TAGS, TagHeader.tag(right.segment(), STRIDE * TAGS));
    right.expect(STRIDE * TAGS + TagHeader.BYTES, BYTES, 70 + TAGS);
    return "8 x 64 B + 1";
  }

  /**
   * The message contains only the address of its payload; the device reads it, and notifies the
   * sender.
   */
  static String rendezvous(Stage stage) {
    Side left = stage.side(1 << 16);
    Side right = stage.side(1 << 16);
    TagMatchingReceiveQueue receives =
        stage.domain().tagMatchingReceiveQueue(right.completions()).rendezvous(true).create();
    RendezvousTarget to = receives.rendezvousTarget().create();
    Stage.connect(left.queuePair(), to);
    left.fill(4096, LONG_BYTES, 79);
    int unused =
        receives.add(FIRST_TAG, WHOLE).scatter(right.region(), 0, LONG_BYTES).signaled(1, 2);
    receives.ringDoorbell();
    Check.equal("the id of the added tag", 1L, right.await().id());
    left.postReceive(3, 1024, TagHeader.OFFER_BYTES);
    RemoteMemory payload = new RemoteMemory(left.address(4096), left.rkey(), LONG_BYTES);
    TagHeader.offer(left.segment(), 0, FIRST_TAG, 0, payload);
    stage.start();
    left.queuePair().send().gather(left.region(), 0, TagHeader.OFFER_BYTES).unsignaled(4);
    left.queuePair().ringDoorbell();
    Check.equal("the id of the match", 2L, right.await().id());
    Check.equal("the id of the payload", 2L, right.await().id());
    Check.equal("the id of the answer", 3L, left.await().id());
    stage.stop();
    Check.that(TagHeader.isDone(left.segment(), 1024), "the sender was not told");
    right.expect(0, LONG_BYTES, 79);
    return "32 KiB";
  }

  private static void send(Side left, int index) {
    left.queuePair()
        .send()
        .gather(left.region(), STRIDE * index, TagHeader.BYTES + BYTES)
        .signaled(index);
    left.ringAndAwait();
  }
}
