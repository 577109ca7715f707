package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.Finding.REQUESTER;
import static dev.bluebell.cli.demo.Finding.RESPONDER;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;

/** Mistakes with memory keys, local and remote. */
final class KeyMishaps {
  private static final int BYTES = 64;

  private KeyMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap("wrong-rkey", "an rkey that was never handed out", KeyMishaps::wrongRkey),
        new Mishap(
            "beyond-the-region", "a WRITE beyond the end of the region", KeyMishaps::beyondTheEnd),
        new Mishap("closed-region", "a region that was closed", KeyMishaps::closedRegion),
        new Mishap(
            "other-domain", "a region of another protection domain", KeyMishaps::otherDomain),
        new Mishap(
            "missing-remote-right", "a region without REMOTE_WRITE", KeyMishaps::missingRight),
        new Mishap(
            "queue-pair-right",
            "a queue pair that lets peers only read",
            KeyMishaps::queuePairAccess),
        new Mishap("wrong-lkey", "an lkey that names no region", KeyMishaps::wrongLkey),
        new Mishap(
            "beyond-the-local-region",
            "data that leaves the local region",
            KeyMishaps::beyondTheLocalEnd),
        new Mishap("local-right", "local memory without LOCAL_WRITE", KeyMishaps::localRight),
        new Mishap(
            "receive-memory", "a receive whose memory is refused", KeyMishaps::receiveMemory));
  }

  private static void write(Scene scene, Side from, long address, int rkey) {
    from.queuePair().write(address, rkey).gather(from.region(), 0, BYTES).signaled(0);
    scene.wroteRequest(from);
    from.queuePair().ringDoorbell();
  }

  private static List<Finding> refusedAccess(Scene scene, Side from, long address, int rkey)
      throws InterruptedException {
    write(scene, from, address, rkey);
    return scene.refusal(
        from, CompletionStatus.REMOTE_ACCESS_ERROR, AsyncEvent.Type.WQ_ACCESS_ERROR);
  }

  private static List<Finding> wrongRkey(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    int wrong = pair.right().rkey() ^ 0x5a;
    return refusedAccess(scene, pair.left(), pair.right().address(0), wrong);
  }

  static List<Finding> beyondTheEnd(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    Side right = pair.right();
    long last = right.segment().byteSize() - BYTES / 2;
    return refusedAccess(scene, pair.left(), right.address(last), right.rkey());
  }

  static List<Finding> closedRegion(Scene scene) throws InterruptedException {
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
    write(scene, pair.left(), pair.right().address(0), pair.right().rkey());
    return scene.refusal(
        pair.left(), CompletionStatus.REMOTE_INVALID_REQUEST, AsyncEvent.Type.WQ_INVALID_REQUEST);
  }

  private static List<Finding> localFailure(Scene scene, Pair pair, long address, int lkey) {
    Side left = pair.left();
    left.queuePair().write(pair.right().remote(0)).gather(address, BYTES, lkey).signaled(0);
    scene.wroteRequest(left);
    left.queuePair().ringDoorbell();
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.LOCAL_PROTECTION_ERROR));
  }

  private static List<Finding> wrongLkey(Scene scene) {
    Pair pair = scene.stage().pair();
    return localFailure(scene, pair, pair.left().address(0), pair.left().lkey() ^ 0x5a);
  }

  private static List<Finding> beyondTheLocalEnd(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    long last = left.segment().byteSize() - BYTES / 2;
    return localFailure(scene, pair, left.address(last), left.lkey());
  }

  private static List<Finding> localRight(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    MemoryRegion constant = scene.stage().domain().allocate(BYTES);
    left.queuePair()
        .read(pair.right().remote(0))
        .scatter(constant.address(), BYTES, constant.lkey())
        .signaled(0);
    scene.wroteRequest(left);
    left.queuePair().ringDoorbell();
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.LOCAL_PROTECTION_ERROR));
  }

  private static List<Finding> receiveMemory(Scene scene) {
    Pair pair = scene.stage().pair();
    Side right = pair.right();
    int wrong = right.lkey() ^ 0x5a;
    right.queuePair().receive().scatter(right.address(0), BYTES, wrong).post(0);
    right.queuePair().ringReceiveDoorbell();
    scene.wrote("lkey in the receive's data segment", "0x%x", wrong, right.lkey());
    Side left = pair.left();
    left.send(BYTES);
    return List.of(
        Scene.failure(REQUESTER, left, CompletionStatus.REMOTE_OPERATION_ERROR),
        Scene.failure(RESPONDER, right, CompletionStatus.LOCAL_PROTECTION_ERROR));
  }
}
