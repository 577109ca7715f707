package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.RcQueuePair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closing objects in any order: it succeeds, or fails with an error that says what to close first.
 */
@Conformance
class CloseTest {

  @Test
  void aDomainInUseNamesItsUsers(Bench bench) {
    Ends ends = bench.connected();
    Buffer buffer = ends.left().buffer(8);
    assertThatIllegalStateException()
        .isThrownBy(() -> ends.left().domain().close())
        .withMessageContaining(ends.left().queuePair().toString())
        .withMessageContaining(buffer.region().toString());
    ends.left().queuePair().close();
    buffer.region().close();
    ends.left().domain().close();
    ends.left().domain().close();
  }

  @Test
  void aCompletionQueueInUseNamesItsUsers(Bench bench) {
    Ends ends = bench.connected();
    assertThatIllegalStateException()
        .isThrownBy(() -> ends.left().completions().close())
        .withMessageContaining(ends.left().queuePair().toString());
    ends.left().queuePair().close();
    ends.left().completions().close();
  }

  @Test
  void anObjectThatFailedToCloseStillWorks(Bench bench) {
    Ends ends = bench.connected();
    assertThatIllegalStateException().isThrownBy(() -> ends.left().completions().close());
    assertThatIllegalStateException().isThrownBy(() -> ends.left().domain().close());
    ends.left().nop(1);
    ends.left().awaitSuccess(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyOrderOfClosingEndsWithEverythingClosed(long seed, Bench bench) {
    Ends ends = bench.connected();
    List<AutoCloseable> open = new ArrayList<>();
    for (End end : List.of(ends.left(), ends.right())) {
      open.add(end.queuePair());
      open.add(end.buffer(64).region());
      open.add(end.completions());
      open.add(end.domain());
    }
    Random random = new Random(seed);
    for (int round = 0; !open.isEmpty(); round++) {
      assertThat(round).as("rounds, with left over: %s", open).isLessThan(4);
      Collections.shuffle(open, random);
      open.removeIf(CloseTest::closes);
    }
  }

  private static boolean closes(AutoCloseable object) {
    try {
      object.close();
      return true;
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("still used by").hasMessageContaining("first");
      return false;
    } catch (Exception e) {
      throw new AssertionError(object.toString(), e);
    }
  }

  @Test
  void aClosedQueuePairRefusesUse(Bench bench) {
    Ends ends = bench.connected();
    RcQueuePair left = ends.left().queuePair();
    left.close();
    left.close();
    assertThatIllegalStateException().isThrownBy(left::send).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(left::receive).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(left::query).withMessageContaining("closed");
    assertThatIllegalStateException().isThrownBy(left::reset).withMessageContaining("closed");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(left::ringDoorbell);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(left::ringReceiveDoorbell);
  }

  @Test
  void aClosedCompletionQueueRefusesUse(Bench bench) {
    Ends ends = bench.ends().create();
    ends.left().queuePair().close();
    ends.left().completions().close();
    assertThatIllegalStateException()
        .isThrownBy(() -> ends.left().completions().poll())
        .withMessageContaining("closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> ends.left().completions().arm(false))
        .withMessageContaining("closed");
  }

  @Test
  void closingAQueuePairUnderTrafficDoesNotDisturbOthers(Bench bench) {
    Ends victim = bench.connected();
    Ends other = bench.connected();
    Buffer source = victim.left().buffer(1 << 20).fill(1);
    Buffer target = victim.right().buffer(1 << 20);
    for (int i = 0; i < 16; i++) {
      victim.left().write(source, 0, 1 << 20, target, 0, i);
    }
    victim.left().queuePair().close();
    new Transfer(other, 100_000).expectDelivered();
    // Earlier completions no longer belong to a queue pair.
    victim.left().completions().poll(done -> assertThat(done.id()).isNegative());
  }

  @Test
  void completionsOfAClosedQueuePairAreNotTakenForThoseOfItsSuccessor(Bench bench) {
    Ends first = bench.connected();
    for (int i = 0; i < 5; i++) {
      first.left().queuePair().nop().signaled(1000 + i);
    }
    first.left().queuePair().ringDoorbell();
    first.right().nop(1);
    first.right().awaitSuccess(1);
    first.left().queuePair().close();
    for (int i = 0; i < 20; i++) {
      RcQueuePair next =
          Bench.toItself(first.left().domain().rcQueuePair(first.left().completions()).create());
      next.nop().signaled(i);
      next.ringDoorbell();
      first.left().awaitSuccess(i);
      next.close();
    }
  }

  @Test
  @ExpectsRefusal
  void noByteOfARegionChangesAfterItsCloseReturned(Bench bench) {
    Ends ends = bench.ends().both(plan -> plan.sendQueue(256)).connect();
    Buffer source = ends.left().buffer(1 << 20).fill(1);
    for (int round = 0; round < 20; round++) {
      Buffer target = ends.right().buffer(1 << 20);
      for (int i = 0; i < 8; i++) {
        source.put(0, Buffer.pattern(i, 64));
        ends.left().write(source, 0, 1 << 20, target, 0, i);
      }
      // Somewhere in the middle of the writes.
      for (int i = 0; i < round; i++) {
        bench.device().progress();
      }
      target.region().close();
      byte[] atClose = target.bytes();
      List<Done> done = ends.left().await(8);
      assertThat(target.bytes()).isEqualTo(atClose);
      boolean failed = done.getLast().status() != CompletionStatus.SUCCESS;
      if (failed) {
        Done first =
            done.stream()
                .filter(each -> each.status() != CompletionStatus.SUCCESS)
                .findFirst()
                .orElseThrow();
        first.require(first.id(), CompletionStatus.REMOTE_ACCESS_ERROR);
        first.requireExplained(bench, "closed", "rkey");
        ends.reset();
        bench.ends().connect(ends);
      }
    }
  }

  @Test
  void noByteIsReadFromARegionAfterItsCloseReturned(Bench bench) {
    Ends ends = bench.connected();
    for (int round = 0; round < 20; round++) {
      Buffer source = ends.left().buffer(1 << 20).fill(1);
      Buffer target = ends.right().buffer(1 << 20);
      ends.left().write(source, 0, 1 << 20, target, 0, 1);
      for (int i = 0; i < round; i++) {
        bench.device().progress();
      }
      source.region().close();
      byte[] secret = new byte[1 << 20];
      Arrays.fill(secret, (byte) 0x55);
      byte[] sent = source.bytes();
      source.put(0, secret);
      Done done = ends.left().awaitOne();
      byte[] arrived = target.bytes();
      if (done.status() == CompletionStatus.SUCCESS) {
        assertThat(arrived).isEqualTo(sent);
        continue;
      }
      done.require(1, CompletionStatus.LOCAL_PROTECTION_ERROR);
      for (int i = 0; i < arrived.length; i++) {
        assertThat(arrived[i] == sent[i] || arrived[i] == 0).isTrue();
      }
      ends.reset();
      bench.ends().connect(ends);
    }
  }

  @Test
  void closingTheDeviceClosesEverythingOnIt(Bench bench) {
    Ends ends = bench.connected();
    Buffer source = ends.left().buffer(1 << 20).fill(1);
    Buffer target = ends.right().buffer(1 << 20);
    for (int i = 0; i < 16; i++) {
      ends.left().write(source, 0, 1 << 20, target, 0, i);
    }
    bench.device().close();
    byte[] atClose = target.bytes();
    assertThatIllegalStateException().isThrownBy(() -> ends.left().queuePair().send());
    assertThatIllegalStateException().isThrownBy(() -> ends.left().completions().poll());
    assertThatIllegalStateException()
        .isThrownBy(() -> bench.device().createCompletionQueue(1))
        .withMessageContaining("closed");
    ends.left().queuePair().close();
    ends.left().completions().close();
    ends.left().domain().close();
    bench.device().close();
    assertThat(target.bytes()).isEqualTo(atClose);
  }

  @Test
  void manyQueuePairsComeAndGo(Bench bench) {
    Ends ends = bench.ends().create();
    for (int i = 0; i < 300; i++) {
      RcQueuePair queuePair =
          Bench.toItself(ends.left().domain().rcQueuePair(ends.left().completions()).create());
      queuePair.nop().signaled(i);
      queuePair.ringDoorbell();
      ends.left().awaitSuccess(i);
      queuePair.close();
      Completion late = ends.left().completions().poll();
      assertThat(late).isNull();
    }
  }
}
