package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Access rights of local keys for the owner's own requests. */
@Conformance
class LocalProtectionTest {

  /** An invalid reference to local memory. */
  enum Mistake {
    UNKNOWN_KEY("lkey"),
    OTHER_TAG("lkey", "tag"),
    OTHER_DOMAIN("lkey", "protection domain"),
    BEFORE_THE_REGION("address", "lkey"),
    BEHIND_THE_REGION("address", "lkey"),
    CLOSED_REGION("lkey", "closed");

    final Object[] explained;

    Mistake(Object... explained) {
      this.explained = explained;
    }

    int key(End end, Buffer buffer) {
      return switch (this) {
        case UNKNOWN_KEY -> buffer.lkey() ^ 0x7fff_0000;
        case OTHER_TAG -> buffer.lkey() ^ 1;
        case OTHER_DOMAIN ->
            end.bench().domain().register(buffer.region().segment(), Access.rights()).lkey();
        default -> buffer.lkey();
      };
    }

    long address(Buffer buffer) {
      return switch (this) {
        case BEFORE_THE_REGION -> buffer.address(-1);
        case BEHIND_THE_REGION -> buffer.address(buffer.region().length() - 31);
        default -> buffer.address(0);
      };
    }

    void prepare(Buffer buffer) {
      if (this == CLOSED_REGION) {
        buffer.region().close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aGatherEntryIsChecked(Mistake mistake, Bench bench) {
    Ends ends = bench.connected();
    Buffer good = ends.left().buffer(64).fill(1);
    Buffer bad = ends.left().buffer(64).fill(2);
    Buffer target = ends.right().buffer(64);
    int key = mistake.key(ends.left(), bad);
    mistake.prepare(bad);
    ends.left()
        .queuePair()
        .write(target.address(0), target.rkey())
        .gather(good.address(0), 32, good.lkey())
        .gather(mistake.address(bad), 32, key)
        .signaled(1);
    ends.left().queuePair().ringDoorbell();
    ends.left()
        .awaitOne()
        .require(1, CompletionStatus.LOCAL_PROTECTION_ERROR)
        .requireExplained(bench, "data segment 1")
        .requireExplained(bench, mistake.explained);
    assertThat(target.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @EnumSource
  void theMemoryOfAReadIsChecked(Mistake mistake, Bench bench) {
    Ends ends = bench.connected();
    Buffer source = ends.right().buffer(64).fill(1);
    Buffer bad = ends.left().buffer(64).fill(2);
    byte[] before = bad.bytes();
    int key = mistake.key(ends.left(), bad);
    mistake.prepare(bad);
    ends.left()
        .queuePair()
        .read(source.address(0), source.rkey())
        .scatter(mistake.address(bad), 32, key)
        .signaled(1);
    ends.left().queuePair().ringDoorbell();
    ends.left().awaitOne(1, CompletionStatus.LOCAL_PROTECTION_ERROR, mistake.explained);
    assertThat(bad.bytes()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  @ExpectsRefusal
  void theMemoryOfAReceiveIsChecked(Mistake mistake, Bench bench) {
    Ends ends = bench.connected();
    Buffer source = ends.left().buffer(64).fill(1);
    Buffer bad = ends.right().buffer(64).fill(2);
    byte[] before = bad.bytes();
    int key = mistake.key(ends.right(), bad);
    mistake.prepare(bad);
    ends.right().queuePair().receive().scatter(mistake.address(bad), 32, key).post(5);
    ends.right().queuePair().ringReceiveDoorbell();
    ends.left().send(source, 0, 32, 1);
    ends.left().awaitOne(1, CompletionStatus.REMOTE_OPERATION_ERROR, mistake.explained);
    ends.right().awaitOne(5, CompletionStatus.LOCAL_PROTECTION_ERROR, mistake.explained);
    assertThat(bad.bytes()).isEqualTo(before);
  }

  @Test
  @ExpectsRefusal
  void memoryWithoutTheRightToWriteTakesNoReadAndNoReceive(Bench bench) {
    Ends read = bench.connected();
    Buffer source = read.right().buffer(64).fill(1);
    Buffer readOnly = read.left().buffer(64, Access.REMOTE_READ);
    read.left().read(source, 0, 64, readOnly, 0, 1);
    read.left().awaitOne(1, CompletionStatus.LOCAL_PROTECTION_ERROR, "LOCAL_WRITE", "lkey");

    Ends receive = bench.connected();
    Buffer target = receive.right().buffer(64, Access.REMOTE_READ);
    receive.right().receive(target, 0, 64, 5);
    receive.left().send(receive.left().buffer(64).fill(1), 0, 64, 1);
    receive.left().awaitOne(1, CompletionStatus.REMOTE_OPERATION_ERROR);
    receive.right().awaitOne(5, CompletionStatus.LOCAL_PROTECTION_ERROR);
    assertThat(readOnly.bytes()).containsOnly(0);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void memoryWithoutTheRightToWriteCanBeSent(Bench bench) {
    Ends ends = bench.connected();
    Buffer readOnly = ends.left().buffer(64, new Access[0]).fill(1);
    Buffer target = ends.right().buffer(64);
    ends.left().write(readOnly, 0, 64, target, 0, 1);
    ends.left().awaitSuccess(1);
    assertThat(target.bytes()).isEqualTo(readOnly.bytes());
  }

  @Test
  void requestsBeforeTheBadOneSucceedAndThoseBehindAreFlushed(Bench bench) {
    Ends ends = bench.connected();
    Buffer good = ends.left().buffer(64).fill(1);
    Buffer target = ends.right().buffer(256);
    RcQueuePair left = ends.left().queuePair();
    for (int i = 0; i < 4; i++) {
      left.write(target.address(64L * i), target.rkey())
          .gather(good.address(0), 64, i == 2 ? good.lkey() ^ 1 : good.lkey())
          .signaled(i);
    }
    left.ringDoorbell();
    List<Done> done = ends.left().await(4);
    done.get(0).requireSuccess(0);
    done.get(1).requireSuccess(1);
    done.get(2).require(2, CompletionStatus.LOCAL_PROTECTION_ERROR);
    done.get(3).require(3, CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(target.bytes(64, 64)).isEqualTo(good.bytes());
    assertThat(target.bytes(128, 128)).containsOnly(0);
  }

  @Test
  void memoryThatIsReadOnlyCanBeSentAndReadByAPeer(Bench bench) {
    Ends ends = bench.connected();
    MemorySegment writable = Arena.ofAuto().allocate(64);
    writable.fill((byte) 7);
    MemoryRegion shown = ends.right().domain().register(writable.asReadOnly(), Access.REMOTE_READ);
    Buffer target = ends.left().buffer(64);
    ends.left().read(new Buffer(shown), 0, 64, target, 0, 1);
    ends.left().awaitSuccess(1);
    assertThat(target.bytes()).containsOnly(7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ends.right().domain().register(writable.asReadOnly(), Access.LOCAL_WRITE))
        .withMessageContaining("read-only");
  }
}
