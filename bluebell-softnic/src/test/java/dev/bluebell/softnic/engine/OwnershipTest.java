package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Data path and commands share the engine, and so do the commands of different clients. Where
 * threads wait for each other, they wait in real time and without a limit.
 */
class OwnershipTest {
  private static final int ROUNDS = 2_000;

  /** Commands are of another thread than the data path, unless a test says otherwise. */
  private static final Thread COMMANDS = Thread.ofPlatform().unstarted(() -> {});

  private long now;
  private final Engine engine = new Engine(() -> 0, new DeviceTime(), null);
  private final Ownership ownership = new Ownership(() -> now);

  /** A connection that always has another command to send. */
  private final class Connection {
    private final Client client;
    private final long nanos;
    private Ownership.Waiter waiter;
    private long commands;

    Connection(Client client, long nanos) {
      this.client = client;
      this.nanos = nanos;
      waiter = ownership.join(client, COMMANDS);
    }

    /** Sends its command if it may. */
    boolean send() {
      if (!ownership.tryEnter(waiter, false)) {
        return false;
      }
      waiter = ownership.join(client, COMMANDS);
      ownership.charge(client, nanos, true);
      ownership.exit();
      commands++;
      return true;
    }
  }

  private List<Connection> connections(int count, Client client, long nanos) {
    return Stream.generate(() -> new Connection(client, nanos)).limit(count).toList();
  }

  /** Makes one step of the data path, if it may; returns how long it took. */
  private long step(long nanos, boolean busy) {
    if (!ownership.tryEnter()) {
      return 0;
    }
    if (ownership.isTimed()) {
      ownership.charge(engine.own(), nanos, busy);
    }
    ownership.exit();
    return nanos;
  }

  @Test
  void eightConnectionsThatSendCommandsLeaveTheDataPathHalfOfTheTime() {
    List<Connection> connections = connections(8, engine.open(), 1_000);
    long data = 0;
    for (int round = 0; round < ROUNDS; round++) {
      connections.forEach(Connection::send);
      data += step(300, true);
    }
    long commands = connections.stream().mapToLong(c -> c.commands * c.nanos).sum();
    assertThat(data).isCloseTo(commands, withPercentage(5));
  }

  @Test
  void aDataPathWithNothingToDoHoldsNoCommandUp() {
    Connection only = new Connection(engine.open(), 1_000);
    for (int round = 0; round < ROUNDS; round++) {
      only.send();
      step(10, false);
    }
    assertThat(only.commands).isEqualTo(ROUNDS);
  }

  @Test
  void commandsDoNotWaitForADataPathThatStaysAway() {
    Connection only = new Connection(engine.open(), 1_000);
    assertThat(only.send()).isTrue();
    assertThat(only.send()).isTrue();
    assertThat(only.send()).isTrue();
  }

  @Test
  void aCommandThatWaitedLongEnoughIsExecutedThoughTheDataPathIsOwedTime() {
    Client client = engine.open();
    Ownership.Waiter waiter = ownership.join(client, COMMANDS);
    assertThat(step(1, true)).isZero();
    assertThat(ownership.tryEnter(waiter, false)).isTrue();
    ownership.charge(client, 1_000, true);
    ownership.exit();
    Ownership.Waiter next = ownership.join(client, COMMANDS);
    assertThat(ownership.tryEnter(next, false)).isFalse();
    assertThat(ownership.tryEnter(next, true)).isTrue();
  }

  @Test
  void aThreadDoesNotLeaveTheEngineToADataPathThatItRunsItself() {
    Client client = engine.open();
    Ownership.Waiter waiter = ownership.join(client, Thread.currentThread());
    assertThat(step(1, true)).isZero();
    assertThat(ownership.tryEnter(waiter, false)).isTrue();
    ownership.charge(client, 1_000, true);
    ownership.exit();
    Ownership.Waiter next = ownership.join(client, Thread.currentThread());
    assertThat(ownership.tryEnter(next, false)).isTrue();
  }

  @Test
  void aCommandIsExecutedEventuallyWhenTheDataPathStaysAway() throws InterruptedException {
    Ownership real = new Ownership(System::nanoTime);
    Client client = engine.open();
    real.await(client);
    FutureTask<Boolean> data = new FutureTask<>(real::tryEnter);
    Thread.ofPlatform().start(data).join();
    assertThat(data.resultNow()).isFalse();
    real.charge(client, 1_000, true);
    real.exit();
    real.await(client);
    assertThat(real.tryEnter()).isFalse();
  }

  @Test
  void anInterruptedCommandSleepsWhileItWaitsAndStaysInterrupted() throws InterruptedException {
    Client client = engine.open();
    assertThat(ownership.tryEnter()).isTrue();
    FutureTask<Boolean> command =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              ownership.await(client);
              return Thread.currentThread().isInterrupted();
            });
    Thread thread = Thread.ofPlatform().daemon().start(command);
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    ownership.exit();
    thread.join();
    assertThat(command.resultNow()).isTrue();
  }

  @Test
  void anAbsentCommandThreadIsNotWaitedForLong() {
    Ownership.Waiter away = ownership.join(engine.open(), COMMANDS);
    assertThat(step(1, true)).isZero();
    now += 199_999;
    assertThat(step(1, true)).isZero();
    now += 1;
    assertThat(step(400_000, true)).isPositive();
    assertThat(step(400_000, true)).isPositive();
    assertThat(ownership.tryEnter(away, false))
        .as("the thread of the command came meanwhile")
        .isFalse();
    assertThat(step(400_000, true)).isPositive();
    assertThat(step(400_000, true)).as("the millisecond is over").isZero();
    assertThat(ownership.tryEnter(away, false)).isTrue();
  }

  @Test
  void aClientWithEightConnectionsHasNoMoreCommandsThanOneWithOne() {
    List<Connection> crowd = connections(8, engine.open(), 1_000);
    Connection single = new Connection(engine.open(), 1_000);
    for (int round = 0; round < ROUNDS; round++) {
      crowd.forEach(Connection::send);
      single.send();
    }
    long commands = crowd.stream().mapToLong(c -> c.commands).sum();
    assertThat(single.commands).isCloseTo(commands, withPercentage(5));
  }

  @Test
  void aClientWithSlowCommandsHasFewerOfThem() {
    Connection slow = new Connection(engine.open(), 10_000);
    Connection quick = new Connection(engine.open(), 1_000);
    for (int round = 0; round < ROUNDS; round++) {
      slow.send();
      quick.send();
    }
    assertThat(quick.commands).isCloseTo(10 * slow.commands, withPercentage(5));
  }

  @Test
  void timeWithoutCommandsIsNotSavedUp() {
    Connection busy = new Connection(engine.open(), 1_000);
    for (int round = 0; round < ROUNDS; round++) {
      busy.send();
    }
    Connection late = new Connection(engine.open(), 1_000);
    long before = busy.commands;
    for (int round = 0; round < ROUNDS; round++) {
      late.send();
      busy.send();
    }
    assertThat(late.commands).isCloseTo(busy.commands - before, withPercentage(5));
  }

  @Test
  void manyThreadsOwnTheEngineOneAfterTheOther() throws InterruptedException {
    int[] owners = {0};
    List<Thread> threads = new ArrayList<>();
    for (Client client : Arrays.asList(engine.open(), engine.open(), engine.own())) {
      for (int i = 0; i < 3; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int round = 0; round < 200; round++) {
                        engine.enter(client);
                        owners[0]++;
                        engine.exit();
                      }
                    }));
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(owners[0]).isEqualTo(9 * 200);
  }
}
