package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.RcQueuePair;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access rights of remote keys and queue pairs; a refused request changes nothing. */
@Conformance
class AccessTest {
  private static final int REGION = 4096;

  /** One remote access of 64 bytes, or of 8 when it is an atomic. */
  enum Kind {
    WRITE(Access.REMOTE_WRITE, 64, (context, at) -> context.write(at)),
    WRITE_WITH_IMMEDIATE(Access.REMOTE_WRITE, 64, (context, at) -> context.writeImmediate(at)),
    READ(Access.REMOTE_READ, 64, (context, at) -> context.read(at)),
    COMPARE_AND_SWAP(Access.REMOTE_ATOMIC, 8, (context, at) -> context.compareAndSwap(at)),
    FETCH_AND_ADD(Access.REMOTE_ATOMIC, 8, (context, at) -> context.fetchAndAdd(at));

    final Access right;
    final int bytes;
    private final BiConsumer<Target, Long> post;

    Kind(Access right, int bytes, BiConsumer<Target, Long> post) {
      this.right = right;
      this.bytes = bytes;
      this.post = post;
    }

    void post(Target target, long address) {
      post.accept(target, address);
      target.left().queuePair().ringDoorbell();
    }
  }

  /** The peer's region, the key to try on it, and local memory for the data. */
  record Target(Ends ends, Buffer region, int rkey, Buffer local) {
    /** A target with all rights, and a receive request for operations that need one. */
    static Target of(Bench bench) {
      Target target = of(bench.connected(), Access.rights());
      target.ends.right().receiveNothing(1, 1);
      return target;
    }

    static Target of(Ends ends, Access... access) {
      Buffer region = ends.right().buffer(REGION, access).fill(1);
      return new Target(ends, region, region.rkey(), ends.left().buffer(64).fill(2));
    }

    Target withKey(int key) {
      return new Target(ends, region, key, local);
    }

    End left() {
      return ends.left();
    }

    RcQueuePair queuePair() {
      return ends.left().queuePair();
    }

    void write(long at) {
      queuePair().write(at, rkey).gather(local.address(0), 64, local.lkey()).signaled(1);
    }

    void writeImmediate(long at) {
      queuePair()
          .writeImmediate(at, rkey, 5)
          .gather(local.address(0), 64, local.lkey())
          .signaled(1);
    }

    void read(long at) {
      queuePair().read(at, rkey).scatter(local.address(0), 64, local.lkey()).signaled(1);
    }

    void compareAndSwap(long at) {
      queuePair()
          .compareAndSwap(at, rkey, 1, 2)
          .scatter(local.address(0), local.lkey())
          .signaled(1);
    }

    void fetchAndAdd(long at) {
      queuePair().fetchAndAdd(at, rkey, 1).scatter(local.address(0), local.lkey()).signaled(1);
    }

    /**
     * Expects that the access failed with this status, changed nothing, and moved both ends to
     * error.
     */
    void expectRefused(CompletionStatus status, Object... explained) {
      byte[] regionBefore = Buffer.pattern(1, REGION);
      byte[] localBefore = Buffer.pattern(2, 64);
      left().awaitOne(1, status, explained);
      assertThat(region.bytes()).isEqualTo(regionBefore);
      assertThat(local.bytes()).isEqualTo(localBefore);
      assertThat(queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
      assertThat(ends.right().queuePair().query().state()).isEqualTo(QueuePairState.ERROR);
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(Kind.values());
  }

  static Stream<Arguments> kindsAndDistances() {
    return kinds().flatMap(kind -> Stream.of(-8L, 8L).map(by -> Arguments.of(kind, by)));
  }

  static Stream<Arguments> kindsAndMissingRights() {
    return kinds().map(kind -> Arguments.of(kind, without(kind.right)));
  }

  private static Access[] without(Access right) {
    return Stream.of(Access.rights()).filter(other -> other != right).toArray(Access[]::new);
  }

  @ParameterizedTest
  @EnumSource
  void anAccessMayReachTheFirstAndTheLastByte(Kind kind, Bench bench) {
    Target target = Target.of(bench.connected(), Access.LOCAL_WRITE, kind.right);
    target.ends().right().receiveNothing(2, 1);
    kind.post(target, target.region().address(0));
    target.left().awaitSuccess(1);
    kind.post(target, target.region().address(REGION - kind.bytes));
    target.left().awaitSuccess(1);
  }

  @ParameterizedTest
  @MethodSource("kindsAndDistances")
  @ExpectsRefusal
  void anAccessThatLeavesTheRegionIsRefused(Kind kind, long by, Bench bench) {
    Target target = Target.of(bench);
    long at =
        by < 0 ? target.region().address(by) : target.region().address(REGION - kind.bytes + by);
    kind.post(target, at);
    target.expectRefused(
        CompletionStatus.REMOTE_ACCESS_ERROR,
        "address 0x%x".formatted(at),
        "byte_count " + kind.bytes,
        "rkey");
  }

  @ParameterizedTest
  @EnumSource
  @ExpectsRefusal
  void aRangeThatWrapsAroundTheAddressSpaceIsRefused(Kind kind, Bench bench) {
    Target target = Target.of(bench);
    kind.post(target, -8);
    target.expectRefused(CompletionStatus.REMOTE_ACCESS_ERROR, "address 0xfffffffffffffff8");
  }

  @ParameterizedTest
  @EnumSource
  @ExpectsRefusal
  void aKeyThatNeverExistedIsRefused(Kind kind, Bench bench) {
    Target target = Target.of(bench);
    int key = target.rkey() ^ 0x7fff_0000;
    kind.post(target.withKey(key), target.region().address(0));
    target.expectRefused(CompletionStatus.REMOTE_ACCESS_ERROR, "rkey 0x%x".formatted(key));
  }

  @ParameterizedTest
  @EnumSource
  @ExpectsRefusal
  void aKeyWithAnotherTagIsRefused(Kind kind, Bench bench) {
    Target target = Target.of(bench);
    int key = target.rkey() ^ 1;
    kind.post(target.withKey(key), target.region().address(0));
    target.expectRefused(CompletionStatus.REMOTE_ACCESS_ERROR, "rkey 0x%x".formatted(key), "tag");
  }

  @ParameterizedTest
  @EnumSource
  @ExpectsRefusal
  void aKeyOfAnotherProtectionDomainIsRefused(Kind kind, Bench bench) {
    Target target = Target.of(bench);
    Buffer foreign =
        new Buffer(bench.domain().register(target.region().region().segment(), Access.rights()));
    kind.post(target.withKey(foreign.rkey()), target.region().address(0));
    target.expectRefused(CompletionStatus.REMOTE_ACCESS_ERROR, "rkey", "protection domain");
  }

  @ParameterizedTest
  @EnumSource
  @ExpectsRefusal
  void aKeyOfAClosedRegionIsRefused(Kind kind, Bench bench) {
    Target target = Target.of(bench);
    target.region().region().close();
    kind.post(target, target.region().address(0));
    target.expectRefused(CompletionStatus.REMOTE_ACCESS_ERROR, "rkey", "closed");
  }

  @ParameterizedTest
  @MethodSource("kindsAndMissingRights")
  @ExpectsRefusal
  void aKeyWithoutTheRightIsRefused(Kind kind, Access[] rights, Bench bench) {
    Target target = Target.of(bench.connected(), rights);
    target.ends().right().receiveNothing(1, 1);
    kind.post(target, target.region().address(0));
    target.expectRefused(
        CompletionStatus.REMOTE_ACCESS_ERROR, "rkey", "does not grant", kind.right.name());
  }

  @ParameterizedTest
  @MethodSource("kindsAndMissingRights")
  @ExpectsRefusal
  void aQueuePairWithoutTheRightRefuses(Kind kind, Access[] rights, Bench bench) {
    Target target =
        Target.of(bench.ends().right(plan -> plan.access(rights)).connect(), Access.rights());
    target.ends().right().receiveNothing(1, 1);
    kind.post(target, target.region().address(0));
    String flag =
        switch (kind.right) {
          case REMOTE_READ -> "rre";
          case REMOTE_WRITE -> "rwe";
          default -> "rae";
        };
    target.expectRefused(CompletionStatus.REMOTE_INVALID_REQUEST, flag, "QP 0x");
  }

  @Test
  @ExpectsRefusal
  void aQueuePairsRightsCanBeTakenAndGivenWhileItIsConnected(Bench bench) {
    Ends ends = bench.connected();
    Target target = Target.of(ends, Access.rights());
    ends.right().queuePair().modifyAccess(Access.REMOTE_WRITE);
    Kind.WRITE.post(target, target.region().address(0));
    ends.left().awaitSuccess(1);
    ends.right().queuePair().modifyAccess(Access.REMOTE_READ);
    Kind.READ.post(target, target.region().address(0));
    ends.left().awaitSuccess(1);
    Kind.WRITE.post(target, target.region().address(0));
    ends.left().awaitOne(1, CompletionStatus.REMOTE_INVALID_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"write", "read"})
  void aMessageOfNoBytesNeedsNoKey(String kind, Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair left = ends.left().queuePair();
    if (kind.equals("write")) {
      left.write(0, 0).signaled(1);
    } else {
      left.read(0, 0).nowhere().signaled(1);
    }
    ends.left().complete(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITE", "READ", "FETCH_AND_ADD"})
  void aRefusedAccessIsAnEventAtTheResponder(Kind kind, Bench bench) {
    Target target = Target.of(bench.connected(), Access.rights());
    kind.post(target.withKey(target.rkey() ^ 1), target.region().address(0));
    target.left().awaitOne();
    assertThat(bench.awaitEvent(AsyncEvent.Type.WQ_ACCESS_ERROR).number())
        .isEqualTo(target.ends().right().queuePair().number());
  }

  @ParameterizedTest
  @MethodSource("kindsAndMissingRights")
  void anInvalidRequestIsAnEventAtTheResponder(Kind kind, Access[] rights, Bench bench) {
    Target target =
        Target.of(bench.ends().right(plan -> plan.access(rights)).connect(), Access.rights());
    kind.post(target, target.region().address(0));
    target.left().awaitOne();
    assertThat(bench.awaitEvent(AsyncEvent.Type.WQ_INVALID_REQUEST).number())
        .isEqualTo(target.ends().right().queuePair().number());
  }
}
