package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.util.List;

/** Mistakes that programs make. */
final class Mishaps {
  private static final String REQUESTER = "requester";
  private static final String RESPONDER = "responder";
  private static final int BYTES = 64;

  private Mishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap("an rkey that nobody handed out", Mishaps::wrongRkey),
        new Mishap("a WRITE beyond the end of the region", Mishaps::beyondTheEnd),
        new Mishap("a region that was closed", Mishaps::closedRegion),
        new Mishap("a region of another protection domain", Mishaps::otherDomain),
        new Mishap("a region without REMOTE_WRITE", Mishaps::missingRight),
        new Mishap("a queue pair that lets peers only read", Mishaps::queuePairAccess),
        new Mishap("local memory without LOCAL_WRITE", Mishaps::localRight),
        new Mishap("a receive buffer that is too short", Mishaps::shortReceive),
        new Mishap("no receive, until retries run out", Mishaps::missingReceive),
        new Mishap("a peer that does not exist", Mishaps::missingPeer),
        new Mishap("an atomic on an address that is no multiple of 8", Mishaps::misaligned),
        new Mishap("a WQE whose opcode was overwritten", CorruptionMishaps::opcode),
        new Mishap("a WQE whose index was overwritten", CorruptionMishaps::index),
        new Mishap("a WQE whose length was overwritten", CorruptionMishaps::size),
        new Mishap("requests behind one that failed", Mishaps::flushed),
        new Mishap("a completion queue that is too small", DriverMishaps::overrun),
        new Mishap("a send queue filled without any signalled request", DriverMishaps::unsignaled),
        new Mishap("a request left half built", DriverMishaps::halfBuilt));
  }

  private static void write(Side from, long address, int length, int rkey) {
    from.queuePair().write(address, rkey).gather(from.address(0), length, from.lkey()).signaled(0);
    from.queuePair().ringDoorbell();
  }

  private static List<Finding> refusedAccess(Scene scene, Side from, long address, int rkey)
      throws InterruptedException {
    write(from, address, BYTES, rkey);
    Finding requester = Scene.failure(REQUESTER, from, CompletionStatus.REMOTE_ACCESS_ERROR);
    return List.of(requester, scene.event(AsyncEvent.Type.WQ_ACCESS_ERROR, requester));
  }

  private static List<Finding> refusedRequest(Scene scene, Side from) throws InterruptedException {
    Finding requester = Scene.failure(REQUESTER, from, CompletionStatus.REMOTE_INVALID_REQUEST);
    return List.of(requester, scene.event(AsyncEvent.Type.WQ_INVALID_REQUEST, requester));
  }

  private static List<Finding> wrongRkey(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    int wrong = pair.right().rkey() ^ 0x5a;
    return refusedAccess(scene, pair.left(), pair.right().address(0), wrong);
  }

  private static List<Finding> beyondTheEnd(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    Side right = pair.right();
    long last = right.segment().byteSize() - BYTES / 2;
    return refusedAccess(scene, pair.left(), right.address(last), right.rkey());
  }

  private static List<Finding> closedRegion(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    MemoryRegion region = scene.stage().memory(BYTES);
    region.close();
    return refusedAccess(scene, pair.left(), region.address(), region.rkey());
  }

  private static List<Finding> otherDomain(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    ProtectionDomain other = scene.device().allocateProtectionDomain();
    MemoryRegion region = other.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    return refusedAccess(scene, pair.left(), region.address(), region.rkey());
  }

  private static List<Finding> missingRight(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    MemoryRegion region = scene.stage().domain().allocate(BYTES, Access.REMOTE_READ);
    return refusedAccess(scene, pair.left(), region.address(), region.rkey());
  }

  private static List<Finding> queuePairAccess(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair(builder -> builder.access(Access.REMOTE_READ));
    write(pair.left(), pair.right().address(0), BYTES, pair.right().rkey());
    return refusedRequest(scene, pair.left());
  }

  private static List<Finding> localRight(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    MemoryRegion constant = scene.stage().domain().allocate(BYTES);
    left.queuePair()
        .read(pair.right().address(0), pair.right().rkey())
        .scatter(constant.address(), BYTES, constant.lkey())
        .signaled(0);
    left.queuePair().ringDoorbell();
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.LOCAL_PROTECTION_ERROR));
  }

  private static List<Finding> shortReceive(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.right().postReceive(0, 0, BYTES / 2);
    send(pair.left());
    return List.of(
        Scene.failure(REQUESTER, pair.left(), CompletionStatus.REMOTE_INVALID_REQUEST),
        Scene.failure(RESPONDER, pair.right(), CompletionStatus.LOCAL_LENGTH_ERROR));
  }

  private static void send(Side from) {
    from.queuePair().send().gather(from.address(0), BYTES, from.lkey()).signaled(0);
    from.queuePair().ringDoorbell();
  }

  private static List<Finding> missingReceive(Scene scene) {
    ConnectOptions options = ConnectOptions.DEFAULT.withRnrRetry(2).withMinRnrTimer(1);
    Pair pair = scene.stage().pair(BYTES, builder -> builder, options);
    send(pair.left());
    return List.of(Scene.failure(REQUESTER, pair.left(), CompletionStatus.RNR_RETRY_EXCEEDED));
  }

  private static List<Finding> missingPeer(Scene scene) {
    Side left = scene.stage().side(BYTES, builder -> builder);
    QueuePairEndpoint own = left.queuePair().endpoint();
    QueuePairEndpoint nobody =
        new QueuePairEndpoint(own.gid(), 0xabcdef, 0, own.mtu(), own.responderResources());
    // 1 ms, twice.
    left.queuePair().connect(nobody, ConnectOptions.DEFAULT.withTimeout(8).withRetryCount(1));
    send(left);
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.RETRY_EXCEEDED));
  }

  private static List<Finding> misaligned(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    left.queuePair()
        .fetchAndAdd(pair.right().address(4), pair.right().rkey(), 1)
        .scatter(left.address(0), left.lkey())
        .signaled(0);
    left.queuePair().ringDoorbell();
    return refusedRequest(scene, left);
  }

  /** Also the request that was not signalled tells that it failed. */
  private static List<Finding> flushed(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    Side right = pair.right();
    left.queuePair()
        .write(right.address(0), right.rkey() ^ 0x5a)
        .gather(left.address(0), BYTES, left.lkey())
        .unsignaled(1);
    left.queuePair()
        .write(right.address(0), right.rkey())
        .gather(left.address(0), BYTES, left.lkey())
        .signaled(2);
    left.queuePair().ringDoorbell();
    return List.of(
        Scene.failure(REQUESTER, left, CompletionStatus.REMOTE_ACCESS_ERROR),
        Scene.failure(REQUESTER, left, CompletionStatus.WORK_REQUEST_FLUSHED));
  }
}
