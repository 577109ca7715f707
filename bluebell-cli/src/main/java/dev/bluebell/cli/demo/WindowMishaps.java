package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;
import static dev.bluebell.cli.demo.BigEndian.LONG;
import static dev.bluebell.cli.demo.BigEndian.SHORT;
import static dev.bluebell.cli.demo.Finding.REQUESTER;
import static dev.bluebell.cli.demo.Finding.RESPONDER;
import static dev.bluebell.cli.demo.WindowSteps.RIGHTS;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.WindowType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** UMR WQEs that bind memory windows incorrectly; some of them succeed. */
final class WindowMishaps {
  private static final int BYTES = 64;
  private static final int LONG_REQUEST_GATHER = 12;

  // Bytes of a UMR WQE.
  private static final long FM_CE_SE = 11;
  private static final long IMM = 12;
  private static final long FLAGS = 16;
  private static final long KLM_OCTOWORDS = 20;
  private static final long MKEY_MASK = 24;
  private static final long QPN_MKEY = 68;
  private static final long BIND_BYTES = 192;

  private WindowMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "umr-octowords",
            "a window whose UMR announces too few octowords",
            WindowMishaps::octowords),
        new Mishap("umr-check-qpn", "CHECK_QPN on bit 4", WindowMishaps::checkQpn),
        new Mishap(
            "umr-mask-without-qpn",
            "a bind whose mkey_mask leaves out QPN",
            WindowMishaps::maskWithoutQpn),
        new Mishap("umr-qpn-mkey", "the field qpn_mkey without its shift", WindowMishaps::qpnMkey),
        new Mishap("umr-old-key", "a bind that keeps the old rkey", WindowMishaps::oldKey),
        new Mishap(
            "umr-stale-key",
            "an invalidate that names the window by an old rkey",
            WindowMishaps::staleUmrKey),
        new Mishap(
            "bind-over-a-bind", "a window of type 2 bound twice", WindowMishaps::bindOverBind),
        new Mishap(
            "window-of-another-queue",
            "a bind on the initiator's queue pair",
            WindowMishaps::initiatorsQueue),
        new Mishap("umr-without-fence", "no fence behind a bind", WindowMishaps::withoutFence),
        new Mishap("stale-rkey", "the rkey of an earlier bind", WindowMishaps::staleRkey),
        new Mishap(
            "revoked-window", "an access through an invalidated window", WindowMishaps::revoked));
  }

  /** A bind that was posted on a side's queue, without a doorbell. */
  private record Bound(MemoryWindow window, MemoryRegion region, int rkey) {}

  /** A pair whose queues have room for complete UMR WQEs. */
  private static Pair pair(Scene scene) {
    return scene.stage().pair(builder -> builder.maxGather(LONG_REQUEST_GATHER));
  }

  private static Bound post(Scene scene, Side side, WindowType type) {
    MemoryRegion region = scene.stage().memory(BYTES);
    MemoryWindow window = scene.stage().domain().allocateWindow(type);
    int rkey = side.queuePair().bind(window, region, 0, BYTES, RIGHTS).signaled(1);
    return new Bound(window, region, rkey);
  }

  private static void write(Side from, long address, int rkey) {
    from.queuePair().write(address, rkey).gather(from.region(), 0, BYTES).signaled(2);
    from.queuePair().ringDoorbell();
  }

  static List<Finding> octowords(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    scene.ring(pair.right()).set(SHORT, KLM_OCTOWORDS, (short) 2);
    scene.wrote("klm_octowords of the UMR segment", 2, 4);
    pair.right().ringAndAwait();
    pair.left().fill(0, BYTES, 80);
    write(pair.left(), bound.region().address(), bound.rkey());
    pair.left().await();
    MemorySegment target = bound.region().segment();
    Check.that(
        MemorySegment.mismatch(target, 0, BYTES, MemorySegment.ofArray(new byte[BYTES]), 0, BYTES)
            < 0,
        "the data landed");
    return List.of(
        scene.finding(
            REQUESTER, "bind and WRITE succeed, and nothing is written", Finding.WRONG_DATA));
  }

  private static List<Finding> checkQpn(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    pair.right().ringAndAwait();
    MemorySegment ring = scene.ring(pair.right());
    pair.right().queuePair().invalidate(bound.window()).signaled(3);
    // The bind takes the first three WQEBBs.
    MemorySegment copy = copy(ring, BIND_BYTES);
    copy.set(ValueLayout.JAVA_BYTE, FLAGS, (byte) 0x90);
    scene.wrote("flags of the UMR segment", "0x90", "0x98");
    pair.left().queuePair().raw(copy).signaled(4);
    pair.left().ringAndAwait();
    Finding finding =
        scene.finding(
            "owner",
            "a queue pair that does not own the window invalidates it, and its request succeeds",
            Finding.WRONG_DATA);
    // After the finding, to which the refusal of this WRITE does not belong.
    List<Finding> unused = refused(pair, bound);
    return List.of(finding);
  }

  private static List<Finding> maskWithoutQpn(Scene scene) {
    Pair pair = pair(scene);
    Pair others = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    scene.ring(pair.right()).set(LONG, MKEY_MASK, 0x203c2041L);
    scene.wrote("mkey_mask of the UMR segment", "0x203c2041", "0x203c6041");
    pair.right().ringAndAwait();
    others.left().fill(0, BYTES, 81);
    write(others.left(), bound.region().address(), bound.rkey());
    others.left().await();
    Check.that(
        MemorySegment.mismatch(
                bound.region().segment(), 0, BYTES, others.left().segment(), 0, BYTES)
            < 0,
        "the data did not land");
    return List.of(
        scene.finding(
            "others",
            "write through a window that was bound for another queue pair, and their requests"
                + " succeed",
            Finding.WRONG_DATA));
  }

  private static List<Finding> refused(Pair pair, Bound bound) {
    write(pair.left(), bound.region().address(), bound.rkey());
    return List.of(Scene.failure(REQUESTER, pair.left(), CompletionStatus.REMOTE_ACCESS_ERROR));
  }

  private static List<Finding> qpnMkey(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    int qpn = pair.right().queuePair().number();
    int wrong = qpn | bound.rkey() & 0xff;
    scene.ring(pair.right()).set(INT, QPN_MKEY, wrong);
    scene.wrote("qpn_mkey of the context", "0x%08x", wrong, qpn << 8 | bound.rkey() & 0xff);
    pair.right().ringAndAwait();
    return refused(pair, bound);
  }

  private static List<Finding> oldKey(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    MemorySegment ring = scene.ring(pair.right());
    int right = ring.get(INT, QPN_MKEY);
    int old = right & ~0xff | right - 1 & 0xff;
    ring.set(INT, QPN_MKEY, old);
    scene.wrote("qpn_mkey of the context", "0x%08x", old, right);
    pair.right().ringAndAwait();
    return refused(pair, bound);
  }

  private static List<Finding> staleUmrKey(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    pair.right().ringAndAwait();
    pair.right().queuePair().invalidate(bound.window()).signaled(3);
    scene.ring(pair.right()).set(INT, BIND_BYTES + IMM, bound.rkey() - 1);
    scene.wrote("imm of the control segment", "0x%x", bound.rkey() - 1, bound.rkey());
    pair.right().queuePair().ringDoorbell();
    return List.of(
        Scene.failure(RESPONDER, pair.right(), CompletionStatus.MEMORY_WINDOW_BIND_ERROR));
  }

  private static List<Finding> bindOverBind(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.right(), WindowType.TYPE_2);
    MemorySegment copy = copy(scene.ring(pair.right()), 0);
    pair.right().ringAndAwait();
    copy.set(INT, IMM, bound.rkey());
    copy.set(INT, QPN_MKEY, copy.get(INT, QPN_MKEY) + 1);
    scene.wrote("the window at the second bind", "in use", "free");
    pair.right().queuePair().raw(copy).signaled(4);
    pair.right().queuePair().ringDoorbell();
    return List.of(
        Scene.failure(RESPONDER, pair.right(), CompletionStatus.MEMORY_WINDOW_BIND_ERROR));
  }

  /** A copy of the WQE at an offset of a ring. */
  private static MemorySegment copy(MemorySegment ring, long from) {
    long bytes = 16L * (ring.get(ValueLayout.JAVA_BYTE, from + 7) & 0x3f);
    MemorySegment copy = Arena.ofAuto().allocate(bytes, 8);
    MemorySegment.copy(ring, from, copy, 0, bytes);
    return copy;
  }

  private static List<Finding> initiatorsQueue(Scene scene) {
    Pair pair = pair(scene);
    Bound bound = post(scene, pair.left(), WindowType.TYPE_2);
    scene.wrote("the queue pair that binds", pair.left().queuePair(), pair.right().queuePair());
    pair.left().ringAndAwait();
    return refused(pair, bound);
  }

  private static List<Finding> withoutFence(Scene scene) {
    Pair pair = pair(scene);
    Side left = pair.left();
    Bound bound = post(scene, left, WindowType.TYPE_1);
    left.queuePair()
        .write(bound.region().address(), bound.rkey())
        .gather(left.region(), 0, BYTES)
        .signaled(2);
    MemorySegment ring = scene.ring(left);
    byte right = ring.get(ValueLayout.JAVA_BYTE, BIND_BYTES + FM_CE_SE);
    byte wrong = (byte) (right & 0x1f);
    ring.set(ValueLayout.JAVA_BYTE, BIND_BYTES + FM_CE_SE, wrong);
    scene.wrote("fm_ce_se of the WQE behind the bind", "0x%02x", wrong, right);
    left.ringAndAwait();
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.REMOTE_ACCESS_ERROR));
  }

  private static List<Finding> staleRkey(Scene scene) {
    Pair pair = pair(scene);
    Side right = pair.right();
    Bound bound = post(scene, right, WindowType.TYPE_2);
    right.ringAndAwait();
    right.queuePair().invalidate(bound.window()).signaled(3);
    right.ringAndAwait();
    int next = right.queuePair().bind(bound.window(), bound.region(), 0, BYTES, RIGHTS).signaled(4);
    right.ringAndAwait();
    scene.wrote("the rkey in the WRITE", "0x%x", bound.rkey(), next);
    return refused(pair, bound);
  }

  private static List<Finding> revoked(Scene scene) {
    Pair pair = pair(scene);
    Side right = pair.right();
    Bound bound = post(scene, right, WindowType.TYPE_2);
    right.ringAndAwait();
    write(pair.left(), bound.region().address(), bound.rkey());
    pair.left().await();
    right.queuePair().invalidate(bound.window()).signaled(3);
    right.ringAndAwait();
    scene.wrote("the WRITE", "behind the invalidate", "before it");
    return refused(pair, bound);
  }
}
