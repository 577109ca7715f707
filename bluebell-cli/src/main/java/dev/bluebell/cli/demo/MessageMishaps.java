package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.LONG;
import static dev.bluebell.cli.demo.Finding.REQUESTER;
import static dev.bluebell.cli.demo.Finding.RESPONDER;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.QueuePairStateException;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import java.util.List;

/** Mistakes with messages, receives, and peers. */
final class MessageMishaps {
  private static final int BYTES = 64;

  // ACK timeout 1 ms, one retry.
  static final ConnectOptions IMPATIENT = ConnectOptions.DEFAULT.withTimeout(8).withRetryCount(1);

  private MessageMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "short-receive", "a receive buffer that is too short", MessageMishaps::shortReceive),
        new Mishap(
            "missing-receive", "no receive, until retries run out", MessageMishaps::missingReceive),
        new Mishap("missing-peer", "a peer that does not exist", MessageMishaps::missingPeer),
        new Mishap(
            "wrong-psn", "a first PSN that the peer does not expect", MessageMishaps::wrongPsn),
        new Mishap("peer-in-error", "a peer in the error state", MessageMishaps::peerInError),
        new Mishap("wrong-gid", "a GID that no port has", MessageMishaps::wrongGid),
        new Mishap(
            "not-connected",
            "a request on a queue pair that is not connected",
            MessageMishaps::notConnected),
        new Mishap(
            "wrong-queue-key", "a datagram with another queue key", MessageMishaps::wrongQueueKey),
        new Mishap(
            "datagram-header",
            "a datagram read from the start of its buffer",
            MessageMishaps::datagramHeader),
        new Mishap(
            "data-in-the-completion",
            "a poller that ignores data inside completions",
            MessageMishaps::dataInTheCompletion),
        new Mishap(
            "misaligned-atomic",
            "an atomic on an address that is not a multiple of 8",
            MessageMishaps::misaligned),
        new Mishap(
            "atomic-byte-order",
            "the result of an atomic taken for a big-endian value",
            MessageMishaps::atomicByteOrder),
        new Mishap("flushed", "requests behind one that failed", MessageMishaps::flushed));
  }

  private static List<Finding> shortReceive(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.right().postReceive(0, 0, BYTES / 2);
    scene.wrote("byte_count in the receive's data segment", BYTES / 2, BYTES + " or more");
    pair.left().send(BYTES);
    return List.of(
        Scene.failure(REQUESTER, pair.left(), CompletionStatus.REMOTE_INVALID_REQUEST),
        Scene.failure(RESPONDER, pair.right(), CompletionStatus.LOCAL_LENGTH_ERROR));
  }

  static List<Finding> missingReceive(Scene scene) {
    ConnectOptions options = ConnectOptions.DEFAULT.withRnrRetry(2).withMinRnrTimer(1);
    Pair pair = scene.stage().pair(BYTES, options);
    scene.wrote("the receive counter in the responder's doorbell record", 0, "1 or more");
    pair.left().send(BYTES);
    return List.of(Scene.failure(REQUESTER, pair.left(), CompletionStatus.RNR_RETRY_EXCEEDED));
  }

  private static List<Finding> missingPeer(Scene scene) {
    Side left = scene.stage().side(BYTES);
    QueuePairEndpoint own = left.queuePair().endpoint();
    QueuePairEndpoint nobody =
        new QueuePairEndpoint(
            own.gid(), own.lid(), 0xabcdef, 0, own.mtu(), own.responderResources());
    left.queuePair().connect(nobody, IMPATIENT);
    scene.wrote("remote_qpn of the queue pair", "0xabcdef", "the peer's QPN");
    left.send(BYTES);
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.RETRY_EXCEEDED));
  }

  private static List<Finding> wrongPsn(Scene scene) {
    Side left = scene.stage().side(BYTES);
    Side right = scene.stage().side(BYTES);
    QueuePairEndpoint own = left.queuePair().endpoint();
    QueuePairEndpoint peer = right.queuePair().endpoint();
    int psn = own.psn() + 100 & 0xff_ffff;
    right
        .queuePair()
        .connect(
            new QueuePairEndpoint(
                own.gid(), own.lid(), own.qpn(), psn, own.mtu(), own.responderResources()),
            IMPATIENT);
    left.queuePair().connect(peer, IMPATIENT);
    right.postReceive(0, 0, BYTES);
    scene.wrote(
        "next_rcv_psn of the responder",
        "100 more than the requester's next_send_psn",
        "equal to it");
    left.send(BYTES);
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.RETRY_EXCEEDED));
  }

  private static List<Finding> peerInError(Scene scene) {
    Pair pair = scene.stage().pair(BYTES, IMPATIENT);
    pair.right().queuePair().toError();
    scene.wrote("the state of the responder's queue pair", "ERR", "RTR or RTS");
    pair.left().send(BYTES);
    return List.of(Scene.failure(REQUESTER, pair.left(), CompletionStatus.RETRY_EXCEEDED));
  }

  private static List<Finding> wrongGid(Scene scene) {
    // Otherwise Bluebell's own driver would resolve the path first, and be refused.
    scene.leadAnywhere();
    Pair pair = scene.stage().pair(BYTES, IMPATIENT);
    Side left = scene.stage().side(BYTES);
    QueuePairEndpoint right = pair.right().queuePair().endpoint();
    Gid elsewhere = Gid.ofIpv4(0xc000_0207);
    left.queuePair()
        .connect(
            new QueuePairEndpoint(
                elsewhere,
                right.lid(),
                right.qpn(),
                right.psn(),
                right.mtu(),
                right.responderResources()),
            IMPATIENT);
    scene.wrote("rgid of the queue pair", elsewhere, right.gid());
    left.send(BYTES);
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.RETRY_EXCEEDED));
  }

  private static List<Finding> notConnected(Scene scene) {
    Side left = scene.stage().side(BYTES);
    scene.wrote("the state of the queue pair", "INIT", "RTS");
    QueuePairStateException refusal = refusalToSend(left);
    // A cross-channel queue pair accepts requests before it is connected.
    MasterQueuePair other =
        scene.stage().domain().rcQueuePair(left.completions()).crossChannel().create();
    other.send().gather(left.region(), 0, BYTES).signaled(0);
    other.ringDoorbell();
    scene.settle();
    Check.that(left.completions().poll() == null, "something completed");
    return List.of(Finding.refusal(refusal), Finding.silence(REQUESTER, List.of(other.diagnose())));
  }

  private static QueuePairStateException refusalToSend(Side side) {
    try {
      side.send(BYTES);
    } catch (QueuePairStateException e) {
      return e;
    }
    throw new WorkFailed("a queue pair that is not connected took a request");
  }

  private static List<Finding> wrongQueueKey(Scene scene) {
    Datagrams datagrams = Datagrams.of(scene, UdQueuePair.HEADER_BYTES + BYTES);
    UdEndpoint peer = datagrams.to().endpoint();
    int wrong = peer.qkey() + 1;
    scene.wrote("qkey in the address vector", "0x%x", wrong, peer.qkey());
    datagrams.post(new UdEndpoint(peer.gid(), peer.lid(), peer.qpn(), wrong, peer.mtu()), BYTES);
    datagrams.from().ringDoorbell();
    datagrams.left().await();
    scene.settle();
    Check.that(datagrams.right().completions().poll() == null, "the datagram was received");
    return List.of(Finding.silence(RESPONDER, List.of(datagrams.to().diagnose())));
  }

  static List<Finding> datagramHeader(Scene scene) {
    Datagrams datagrams = Datagrams.of(scene, UdQueuePair.HEADER_BYTES + BYTES);
    Place right = datagrams.right();
    datagrams.left().fill(0, BYTES, 70);
    datagrams.send(BYTES);
    Completion done = right.await();
    right.expect(40, BYTES, 70);
    Check.that(!right.holds(0, BYTES, 70), "the message is at the start of the buffer");
    scene.wrote("the offset that the message is read from", 0, 40);
    return List.of(
        Finding.wrongData(
            RESPONDER,
            "success, and the message is not where the poller looks for it",
            ("byte_cnt of the completion is %d for a message of %d bytes: the first 40 bytes of the"
                    + " buffer are for the network header, and the message begins after them")
                .formatted(done.byteCount(), BYTES)));
  }

  private static List<Finding> dataInTheCompletion(Scene scene) {
    Pair pair = scene.stage().pair(builder -> builder.inlineReceive(32));
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 32, 71);
    right.postReceive(0, 0, 32);
    left.send(32);
    left.await();
    RawPoller poller = new RawPoller(scene.ring(right.completions()));
    Check.equal("the opcode", CqeOpcode.RESP_SEND, Cqe.opcode(poller.last(0)));
    Check.equal("the format", Cqe.FORMAT_INLINE_32, Cqe.format(poller.last(0)));
    right.expectUntouched(0, 32);
    scene.wrote(
        "op_own 0x%02x".formatted(poller.opOwn(0)),
        "taken for a plain completion",
        "taken for one with 32 bytes of data");
    return List.of(
        Finding.wrongData(
            RESPONDER,
            "success, and the buffer is unchanged",
            ("bits 3:2 of op_own 0x%02x are 1: the message is in bytes 0–31 of the CQE and nowhere"
                    + " else; the poller must copy it to the memory of the receive")
                .formatted(poller.opOwn(0))));
  }

  private static List<Finding> misaligned(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    left.queuePair().fetchAndAdd(pair.right().remote(4), 1).scatter(left.region(), 0).signaled(0);
    scene.wroteRequest(left);
    left.queuePair().ringDoorbell();
    return scene.refusal(
        left, CompletionStatus.REMOTE_INVALID_REQUEST, AsyncEvent.Type.WQ_INVALID_REQUEST);
  }

  static List<Finding> atomicByteOrder(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    Side right = pair.right();
    for (int i = 0; i < 2; i++) {
      left.queuePair().fetchAndAdd(right.remote(0), 1).scatter(left.region(), 0).signaled(0);
      left.ringAndAwait();
    }
    long read = left.segment().get(LONG, 0);
    Check.equal("the result, read big-endian", 1L << 56, read);
    scene.wrote("the byte order that the result is read in", "big-endian", "the host's");
    return List.of(
        Finding.wrongData(
            REQUESTER,
            "success, and the counter reads as %d".formatted(read),
            "the 8 bytes that an atomic returns are an integer in host byte order, here 1; swapped, they are 0x%016x: do not swap them"
                .formatted(read)));
  }

  /** A failed request reports its failure even if it was not signalled. */
  private static List<Finding> flushed(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    Side right = pair.right();
    left.queuePair()
        .write(right.address(0), right.rkey() ^ 0x5a)
        .gather(left.region(), 0, BYTES)
        .unsignaled(1);
    left.queuePair().write(right.remote(0)).gather(left.region(), 0, BYTES).signaled(2);
    scene.wroteRequest(left);
    left.queuePair().ringDoorbell();
    return List.of(
        Scene.failure(REQUESTER, left, CompletionStatus.REMOTE_ACCESS_ERROR),
        Scene.failure(REQUESTER, left, CompletionStatus.WORK_REQUEST_FLUSHED));
  }
}
