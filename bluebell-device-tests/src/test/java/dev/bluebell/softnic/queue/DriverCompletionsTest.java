package dev.bluebell.softnic.queue;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaException;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.CompletionChannel;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's completion queues on the device. */
class DriverCompletionsTest {
  private final Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final MemoryRegion memory = domain.allocate(4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
  private final List<Long> ids = new ArrayList<>();

  @AfterEach
  void close() {
    device.close();
  }

  private RcQueuePair connected(CompletionQueue sends, CompletionQueue receives) {
    RcQueuePair queuePair = domain.rcQueuePair(sends).receiveCompletions(receives).create();
    queuePair.connect(queuePair.endpoint());
    return queuePair;
  }

  private void write(RcQueuePair queuePair, long id) {
    queuePair.write(memory.remote()).gather(memory, 2048, 32).signaled(id);
    queuePair.ringDoorbell();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noCompletionIsLostOrSeenTwiceWhenTheQueueChangesItsSizeUnderTraffic(long seed) {
    Random random = new Random(seed);
    CompletionQueue completions = device.createCompletionQueue(64);
    RcQueuePair queuePair = connected(completions, completions);
    int posted = 0;
    for (int round = 0; round < 200; round++) {
      for (int i = random.nextInt(8); i > 0 && posted - ids.size() < 8; i--) {
        write(queuePair, posted++);
      }
      device.progress();
      if (random.nextBoolean()) {
        completions.poll(completion -> ids.add(completion.id()), 1 + random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        completions.resize(16 << random.nextInt(4));
      }
    }
    while (ids.size() < posted) {
      completions.poll(completion -> ids.add(completion.id()));
    }
    assertThat(ids).isEqualTo(LongStream.range(0, posted).boxed().toList());
  }

  @Test
  void aSizeWithoutRoomForTheWaitingCompletionsIsRefused() {
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair queuePair = connected(completions, completions);
    for (int i = 0; i < 8; i++) {
      write(queuePair, i);
      device.progress();
    }
    assertThatExceptionOfType(HcaException.class).isThrownBy(() -> completions.resize(8));
    while (ids.size() < 8) {
      completions.poll(completion -> ids.add(completion.id()));
    }
    completions.resize(8);
    write(queuePair, 8);
    while (ids.size() < 9) {
      completions.poll(completion -> ids.add(completion.id()));
    }
    assertThat(ids).isEqualTo(LongStream.range(0, 9).boxed().toList());
  }

  @Test
  void oneWaitServesManyCompletionQueues() throws InterruptedException {
    CompletionChannel channel = device.openCompletionChannel();
    List<CompletionQueue> queues = new ArrayList<>();
    List<RcQueuePair> queuePairs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      CompletionQueue completions = device.createCompletionQueue(4);
      queues.add(completions);
      channel.add(completions);
      queuePairs.add(connected(completions, completions));
    }
    assertThat(channel.await(Duration.ZERO)).isNull();
    Set<CompletionQueue> named = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      write(queuePairs.get(7 * i % 20), i);
      CompletionQueue ready = channel.await(Duration.ofMinutes(1));
      assertThat(ready).isSameAs(queues.get(7 * i % 20));
      assertThat(ready.poll(completion -> ids.add(completion.id()))).isEqualTo(1);
      named.add(ready);
    }
    assertThat(named).hasSize(20);
    assertThat(channel.await(Duration.ZERO)).isNull();
  }

  @Test
  void aCompletionIdentifiesEachOf512QueuePairsOnOneQueue() {
    CompletionQueue completions = device.createCompletionQueue(1024);
    List<RcQueuePair> queuePairs = new ArrayList<>();
    for (int i = 0; i < 512; i++) {
      queuePairs.add(connected(completions, completions));
    }
    List<QueuePair> told = new ArrayList<>();
    for (int i = 0; i < 512; i++) {
      write(queuePairs.get(37 * i % 512), 37 * i % 512);
    }
    while (told.size() < 512) {
      completions.poll(
          completion -> {
            QueuePair queuePair = completion.queuePair();
            assertThat(queuePair).isSameAs(queuePairs.get((int) completion.id()));
            told.add(queuePair);
          },
          16);
    }
    assertThat(told).doesNotHaveDuplicates();
  }

  @Test
  void anUnpolledCompletionCountsAsPendingAtAReset() {
    CompletionQueue completions = device.createCompletionQueue(64);
    RcQueuePair queuePair = connected(completions, completions);
    write(queuePair, 1);
    write(queuePair, 2);
    while (ids.isEmpty()) {
      completions.poll(completion -> ids.add(completion.id()), 1);
    }
    device.progress();
    assertThat(queuePair.reset().sends()).containsExactly(2);
    assertThat(completions.poll(completion -> ids.add(completion.id()))).isZero();
    queuePair.receive().empty().post(5);
    assertThat(queuePair.destroy().receives()).containsExactly(5);
  }
}
