package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;

/** Mistakes with memory keys, of the peer and of one's own. */
final class KeyMishaps {
  private static final String REQUESTER = "requester";
  private static final String RESPONDER = "responder";
  private static final int BYTES = 64;

  private static final String NAK =
      "The InfiniBand specification requires the NAK, and so the status; the vendor code was seen"
          + " in public logs.";
  private static final String COMPARE_RADDR =
      "Decode the WQE and compare rkey, address and length of its raddr segment with what the"
          + " responder registered. The responder gets an event WQ_ACCESS_ERROR, and both queue"
          + " pairs are in the error state.";
  private static final String COMPARE_DATA =
      "Decode the WQE at wqe_counter and compare lkey, address and byte_count of each data segment"
          + " with the region.";

  private KeyMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "wrong-rkey",
            "an rkey that was never handed out",
            new Story(
                COMPARE_RADDR,
                "The low byte of an rkey is a tag, which changes with each registration. A key of"
                    + " an earlier registration, or one that was damaged on its way to the peer,"
                    + " has the index of an existing key but another tag.",
                "Send the new rkey to peers after each registration, as 4 bytes in a byte order"
                    + " that both sides agree on.",
                NAK),
            KeyMishaps::wrongRkey),
        new Mishap(
            "beyond-the-region",
            "a WRITE beyond the end of the region",
            new Story(
                COMPARE_RADDR,
                "The range that address and length describe leaves the region, possibly by a single"
                    + " byte. Nothing is written, not even the part inside the region.",
                "Send peers the address and the length together, and check offsets against the"
                    + " length before you post.",
                NAK),
            KeyMishaps::beyondTheEnd),
        new Mishap(
            "closed-region",
            "a region that was closed",
            new Story(
                COMPARE_RADDR,
                "The responder deregistered the memory, so no key has the index of the rkey any"
                    + " more. Peers are not notified.",
                "Tell peers, and wait until they have stopped, before you close a region.",
                NAK),
            KeyMishaps::closedRegion),
        new Mishap(
            "other-domain",
            "a region of another protection domain",
            new Story(
                COMPARE_RADDR
                    + " Then compare the protection domains of region and queue pair; the rkey does"
                    + " not show its domain.",
                "A queue pair reaches only regions of its own protection domain.",
                "Allocate one protection domain for all objects that work together.",
                NAK),
            KeyMishaps::otherDomain),
        new Mishap(
            "missing-remote-right",
            "a region without REMOTE_WRITE",
            new Story(
                COMPARE_RADDR,
                "A region allows peers only what it was registered for, which by default is"
                    + " nothing: READ needs REMOTE_READ, WRITE needs REMOTE_WRITE, atomics need"
                    + " REMOTE_ATOMIC.",
                "Register the region with that right.",
                NAK),
            KeyMishaps::missingRight),
        new Mishap(
            "queue-pair-right",
            "a queue pair that lets peers only read",
            new Story(
                "Query the responder's queue pair: rwe, rre and rae in its context say what peers"
                    + " may do. The status differs from that of a refused key.",
                "A queue pair has rights of its own, in addition to those of regions. A request"
                    + " that the queue pair does not allow is invalid, whatever key it carries.",
                "Grant the right when you create the queue pair, or by qp_access_flags in the"
                    + " transition to INIT.",
                NAK),
            KeyMishaps::queuePairAccess),
        new Mishap(
            "wrong-lkey",
            "an lkey that names no region",
            new Story(
                COMPARE_DATA,
                "The lkey of a data segment names no region, or carries the tag of an earlier"
                    + " registration.",
                "Take lkey and address from the same registration.",
                "Public logs show vendor code 0x51 for the memory of sends, and 0x32 for the memory"
                    + " of receives."),
            KeyMishaps::wrongLkey),
        new Mishap(
            "beyond-the-local-region",
            "data that leaves the local region",
            new Story(
                COMPARE_DATA,
                "The range of a data segment leaves its region.",
                "Compare address and length with those of the region before you post.",
                "Vendor code 0x51 was seen in public logs, as for a wrong lkey."),
            KeyMishaps::beyondTheLocalEnd),
        new Mishap(
            "local-right",
            "local memory without LOCAL_WRITE",
            new Story(
                COMPARE_DATA + " READs, atomics and receives write to local memory.",
                "Memory that a READ, an atomic or a receive writes to must be registered with"
                    + " LOCAL_WRITE. A send only reads its memory, so the same region works for"
                    + " sends.",
                "Register the region with LOCAL_WRITE.",
                "Vendor code 0x51 was seen in public logs, as for a wrong lkey."),
            KeyMishaps::localRight),
        new Mishap(
            "receive-memory",
            "a receive whose memory is refused",
            new Story(
                "The requester learns only that the responder failed. Look at the responder's"
                    + " completion, which names the key.",
                "The data segment of a receive is checked when a message arrives, not when it is"
                    + " posted. The receive fails with LOCAL_PROT_ERR, the sender with"
                    + " REMOTE_OP_ERR.",
                "Take the lkey and the address of the receive from the same registration, with"
                    + " LOCAL_WRITE.",
                "The InfiniBand specification requires the NAK for a remote operational error."),
            KeyMishaps::receiveMemory));
  }

  private static void write(Scene scene, Side from, long address, int rkey) {
    from.queuePair().write(address, rkey).gather(from.address(0), BYTES, from.lkey()).signaled(0);
    scene.wroteRequest(from);
    from.queuePair().ringDoorbell();
  }

  private static List<Finding> refusedAccess(Scene scene, Side from, long address, int rkey)
      throws InterruptedException {
    write(scene, from, address, rkey);
    Finding requester = Scene.failure(REQUESTER, from, CompletionStatus.REMOTE_ACCESS_ERROR);
    return List.of(requester, scene.event(AsyncEvent.Type.WQ_ACCESS_ERROR, requester));
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
    Finding requester =
        Scene.failure(REQUESTER, pair.left(), CompletionStatus.REMOTE_INVALID_REQUEST);
    return List.of(requester, scene.event(AsyncEvent.Type.WQ_INVALID_REQUEST, requester));
  }

  private static List<Finding> localFailure(Scene scene, Pair pair, long address, int lkey) {
    Side left = pair.left();
    left.queuePair()
        .write(pair.right().address(0), pair.right().rkey())
        .gather(address, BYTES, lkey)
        .signaled(0);
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
        .read(pair.right().address(0), pair.right().rkey())
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
    scene.wrote(
        "lkey in the receive's data segment",
        "0x%x".formatted(wrong),
        "0x%x".formatted(right.lkey()));
    Side left = pair.left();
    left.queuePair().send().gather(left.address(0), BYTES, left.lkey()).signaled(0);
    left.queuePair().ringDoorbell();
    return List.of(
        Scene.failure(REQUESTER, left, CompletionStatus.REMOTE_OPERATION_ERROR),
        Scene.failure(RESPONDER, right, CompletionStatus.LOCAL_PROTECTION_ERROR));
  }
}
