package dev.bluebell.conformance;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.XrcInitiator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Questions about the completions at both ends of a refused or unanswered message. */
final class ConnectionQuestions {
  private static final int BYTES = 8;

  private ConnectionQuestions() {}

  static List<Question> all() {
    return List.of(
        Question.of(
            "M250",
            "How does a SEND to a peer in INIT complete?",
            "RETRY_EXCEEDED, vendor syndrome 0x81",
            ConnectionQuestions::silentPeer),
        Question.of(
            "M250",
            "How does a SEND to a peer without a receive complete?",
            "RNR_RETRY_EXCEEDED, vendor syndrome 0x87",
            ConnectionQuestions::noReceive),
        Question.of(
            "M250",
            "What do the ends see of a SEND whose receive has a key that does not exist?",
            "sender: REMOTE_OPERATION_ERROR, vendor syndrome 0x89; receiver:"
                + " LOCAL_PROTECTION_ERROR, vendor syndrome 0x32",
            ConnectionQuestions::receiveKey),
        Question.of(
            "M250",
            "What do the ends see of a SEND that is longer than its receive?",
            "sender: REMOTE_INVALID_REQUEST, vendor syndrome 0x8a; receiver: LOCAL_LENGTH_ERROR,"
                + " vendor syndrome 0x00",
            ConnectionQuestions::shortReceive),
        Question.of(
            "M130",
            "How does a masked fetch-and-add of 8 bytes complete at an address that is not a"
                + " multiple of 8?",
            "REMOTE_INVALID_REQUEST, vendor syndrome 0x8a",
            ConnectionQuestions::misaligned),
        Question.of(
            "M43",
            "How does a SEND with invalidate complete if its key does not allow it?",
            "REMOTE_ACCESS_ERROR, vendor syndrome 0x88",
            ConnectionQuestions::invalidate),
        Question.of(
            "M28",
            "In which state is a queue pair after its completion found no room in the completion"
                + " queue?",
            "ERROR",
            ConnectionQuestions::overrun),
        Question.of(
                "M73",
                "What does the receiver see of a datagram that is longer than its receive?",
                "LOCAL_LENGTH_ERROR, vendor syndrome 0x00; the queue pair is in ERROR",
                ConnectionQuestions::longDatagram)
            .needing("ud"),
        Question.of(
                "M115",
                "How does a WRITE to a DC target with another access key complete?",
                "RETRY_EXCEEDED, vendor syndrome 0x81",
                bench -> dynamic(bench, end -> with(end, end.dctn(), end.accessKey() + 1)))
            .needing("dct"),
        Question.of(
                "M116",
                "How does a WRITE to a DC target that does not exist complete?",
                "RETRY_EXCEEDED, vendor syndrome 0x81",
                bench -> dynamic(bench, end -> with(end, Answers.NOBODYS_NUMBER, end.accessKey())))
            .needing("dct"),
        Question.of(
                "M117",
                "Does a DC target serve others after it refused a request?",
                "yes",
                ConnectionQuestions::targetAfterRefusal)
            .needing("dct"),
        Question.of(
                "M103",
                "How does an XRC SEND complete if it names a shared receive queue that does not"
                    + " exist?",
                "REMOTE_ACCESS_ERROR, vendor syndrome 0x88",
                ConnectionQuestions::missingQueue)
            .needing("xrc"));
  }

  // ---- reliable connections

  private static String silentPeer(Bench bench) {
    Ends ends = bench.ends().create();
    ends.left()
        .queuePair()
        .connect(
            ends.right().queuePair().endpoint(),
            ConnectOptions.DEFAULT.withTimeout(8).withRetryCount(1));
    ends.left().sendNothing(1);
    return Answers.of(bench, ends.left().completions());
  }

  private static String noReceive(Bench bench) {
    Ends ends = bench.connected(options -> options.withRnrRetry(1).withMinRnrTimer(1));
    ends.left().sendNothing(1);
    return Answers.of(bench, ends.left().completions());
  }

  private static String both(Bench bench, Ends ends) {
    return "sender: %s; receiver: %s"
        .formatted(
            Answers.of(bench, ends.left().completions()),
            Answers.of(bench, ends.right().completions()));
  }

  private static String receiveKey(Bench bench) {
    Ends ends = bench.connected();
    ends.right().queuePair().receive().scatter(0, BYTES, Answers.NOBODYS_KEY).post(1);
    ends.right().queuePair().ringReceiveDoorbell();
    ends.left().send(ends.left().buffer(BYTES), 0, BYTES, 1);
    return both(bench, ends);
  }

  private static String shortReceive(Bench bench) {
    Ends ends = bench.connected();
    ends.right().receive(ends.right().buffer(BYTES), 0, BYTES, 1);
    ends.left().send(ends.left().buffer(2 * BYTES), 0, 2 * BYTES, 1);
    return both(bench, ends);
  }

  private static String misaligned(Bench bench) {
    if ((bench.device().attributes().maskedAtomicSizes() & BYTES) == 0) {
      return "(the device does not have masked atomics of 8 bytes)";
    }
    Ends ends = bench.connected();
    Buffer to = ends.right().buffer(2 * BYTES);
    Buffer result = ends.left().buffer(BYTES);
    ends.left()
        .queuePair()
        .maskedFetchAndAdd8(to.remote(BYTES / 2), 1, 0)
        .scatter(result.region(), 0)
        .signaled(1);
    return Answers.of(ends.left());
  }

  private static String invalidate(Bench bench) {
    Ends ends = bench.connected();
    Buffer kept = ends.right().buffer(BYTES, Access.LOCAL_WRITE);
    ends.right().receiveNothing(1, 1);
    ends.left().queuePair().sendInvalidate(kept.rkey()).signaled(1);
    return Answers.of(ends.left());
  }

  private static String overrun(Bench bench) {
    CompletionQueue small = bench.device().createCompletionQueue(4, CompletionQueueOptions.DEFAULT);
    RcQueuePair queuePair =
        Bench.toItself(bench.domain().rcQueuePair(small).sendQueue(16).create());
    for (int i = 0; i < 16; i++) {
      queuePair.nop().signaled(i);
    }
    queuePair.ringDoorbell();
    return Answers.happens(bench, () -> queuePair.query().state() == QueuePairState.ERROR)
        ? "ERROR"
        : queuePair.query().state().toString();
  }

  // ---- datagrams

  private static String longDatagram(Bench bench) {
    DatagramEnd left = new DatagramEnd(bench);
    DatagramEnd right = new DatagramEnd(bench);
    right.receive(UdQueuePair.HEADER_BYTES + BYTES, 1);
    left.send(right, new byte[2 * BYTES], 1);
    String sent = Answers.of(bench, left.sends);
    if (!sent.equals("SUCCESS")) {
      return "(no answer: the SEND completed with %s)".formatted(sent);
    }
    Optional<Done> done = Answers.next(bench, right.receives);
    return "%s; the queue pair is in %s"
        .formatted(
            done.map(Answers::of).orElse("nothing, the message is dropped"),
            right.queuePair.query().state());
  }

  // ---- connections that name their destinations

  private static DcEndpoint with(DcEndpoint end, int number, long key) {
    return new DcEndpoint(end.gid(), end.lid(), number, key, end.mtu());
  }

  /** An initiator of dynamic connections. */
  private record Initiator(Bench bench, DcInitiator queue, CompletionQueue completions) {
    static Initiator of(Bench bench) {
      CompletionQueue completions = bench.device().createCompletionQueue(16);
      return new Initiator(
          bench, bench.domain().dcInitiator(completions).maxInline(BYTES).create(), completions);
    }

    String write(DcEndpoint to, long address, int rkey) {
      queue
          .target(queue.targetAddress(to))
          .write(address, rkey)
          .inline(new byte[BYTES], 0, BYTES)
          .signaled(1);
      queue.ringDoorbell();
      return Answers.of(bench, completions);
    }
  }

  /** A target of dynamic connections, and memory behind it. */
  private record Destination(DcTarget target, Buffer memory) {
    static Destination of(Bench bench) {
      ProtectionDomain domain = bench.domain();
      SharedReceiveQueue shared = domain.sharedReceiveQueue().create();
      return new Destination(
          domain.dcTarget(bench.device().createCompletionQueue(16), shared).create(),
          new Buffer(domain.allocate(64, Access.rights())));
    }
  }

  private static String dynamic(Bench bench, UnaryOperator<DcEndpoint> mistake) {
    Destination to = Destination.of(bench);
    return Initiator.of(bench)
        .write(mistake.apply(to.target().endpoint()), to.memory().address(0), to.memory().rkey());
  }

  private static String targetAfterRefusal(Bench bench) {
    Destination to = Destination.of(bench);
    DcEndpoint end = to.target().endpoint();
    String before = Initiator.of(bench).write(end, to.memory().address(0), to.memory().rkey());
    String refused = Initiator.of(bench).write(end, to.memory().address(0), Answers.NOBODYS_KEY);
    if (!before.equals("SUCCESS") || !refused.startsWith("REMOTE_")) {
      return "(no answer: a WRITE completed with %s, and one with a key that does not exist with %s)"
          .formatted(before, refused);
    }
    String served = Initiator.of(bench).write(end, to.memory().address(0), to.memory().rkey());
    return served.equals("SUCCESS") ? "yes" : "no: " + served;
  }

  private static String missingQueue(Bench bench) {
    Line line = new Line(bench, ConnectionKind.XRC);
    ((XrcInitiator) line.sender()).toSharedReceives(Answers.NOBODYS_NUMBER).send().signaled(1);
    return Answers.of(line);
  }
}
