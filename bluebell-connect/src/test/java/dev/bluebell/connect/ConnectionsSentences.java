package dev.bluebell.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tests of connections that every implementation must pass. */
abstract class ConnectionsSentences {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longer than the time limit of a test, so that only a wakeup ends a wait in time. */
  private static final Duration FOREVER = Duration.ofHours(3);

  private final ExecutorService serving = Executors.newVirtualThreadPerTaskExecutor();
  private End near;
  private End far;
  private Connections connections;
  private Connections servers;
  private RdmaServer server;

  /** The side that connects. */
  abstract Device openNear() throws Exception;

  /** The side that listens, which may be the same device. */
  abstract Device openFar() throws Exception;

  abstract Connections connections(Device device);

  /** An address of the listening side, with port 0. */
  abstract InetSocketAddress address();

  /** The address of the connecting side. */
  InetAddress nearHost() {
    return server.address().getAddress();
  }

  @BeforeEach
  void listen() throws Exception {
    near = new End(openNear());
    far = new End(openFar());
    connections = connections(near.device());
    servers = connections(far.device());
    server = servers.listen(address());
  }

  @AfterEach
  void closeEnds() {
    server.close();
    serving.close();
    near.close();
    far.close();
  }

  End near() {
    return near;
  }

  End far() {
    return far;
  }

  RdmaServer server() {
    return server;
  }

  ConnectionRequest next() throws InterruptedException {
    ConnectionRequest request = server.next(PATIENCE);
    assertThat(request).isNotNull();
    return request;
  }

  Future<RdmaConnection> acceptNext() {
    return serving.submit(() -> next().accept(far.queuePairs(), Offer.of(far.memory().remote())));
  }

  /** Accepts the first request that its client has not given up. */
  private RdmaConnection acceptFirstThatWaits() throws InterruptedException {
    while (true) {
      try {
        return next().accept(far.queuePairs(), Offer.NOTHING);
      } catch (ConnectionException e) {
        // The request of a short attempt may arrive late.
      }
    }
  }

  <T> Future<T> serve(Callable<T> action) {
    return serving.submit(action);
  }

  RdmaClient client() {
    return connections.client(server.address());
  }

  static Ending ending(RdmaConnection connection) throws Exception {
    return connection.ended().get(30, TimeUnit.SECONDS);
  }

  @Test
  void theFutureOfAConnectionsEndIsCreatedOnce() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near.queuePairs(), Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(mine.ended()).isSameAs(mine.ended());
    assertThat(mine.ended().cancel(false)).isTrue();
    mine.disconnect();
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
  }

  @Test
  void bothSidesLearnOfEachOtherAndWorkOnEachOthersMemory() throws Exception {
    byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
    Future<RdmaConnection> accepted =
        serving.submit(
            () -> {
              ConnectionRequest request = next();
              assertThat(request.offer().privateData()).startsWith(hello);
              assertThat(request.from().getAddress()).isEqualTo(nearHost());
              return request.accept(far.queuePairs(), Offer.of(far.memory().remote()));
            });
    RdmaConnection mine = client().connect(near.queuePairs(), new Offer(hello, List.of()));
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(mine.isOpen()).isTrue();
    assertThat(mine.peer()).isEqualTo(server.address());
    assertThat(theirs.offer().privateData()).startsWith(hello);
    assertThat(theirs.offer().memory()).isEmpty();

    RemoteMemory remote = mine.offer().memory().getFirst();
    assertThat(remote).isEqualTo(far.memory().remote());
    far.memory().segment().setString(0, "over there");
    mine.queuePair().read(remote.slice(0, 16)).scatter(near.memory(), 1024, 16).signaled(1);
    mine.queuePair().ringDoorbell();
    near.expectSuccess(1);
    assertThat(near.memory().segment().getString(1024)).isEqualTo("over there");
    theirs.queuePair().nop().signaled(2);
    theirs.queuePair().ringDoorbell();
    far.expectSuccess(2);
    mine.close();
    theirs.close();
  }

  @Test
  void aThreadThatIsInterruptedNotifiesThePeerToo() throws Exception {
    for (int i = 0; i < 20; i++) {
      Future<RdmaConnection> accepted = acceptNext();
      RdmaConnection mine = client().connect(near.queuePairs(), Offer.NOTHING);
      RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
      Thread.currentThread().interrupt();
      mine.close();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
      theirs.close();
    }
  }

  @Test
  void aServerDoesNotWaitForANegativeTime() throws Exception {
    assertThat(server.next(Duration.ofSeconds(Long.MIN_VALUE))).isNull();
  }

  @Test
  void aServerWaitsForEver() throws Exception {
    Future<RdmaConnection> connected =
        serve(() -> client().connect(near.queuePairs(), Offer.NOTHING));
    ConnectionRequest request = server.next(ChronoUnit.FOREVER.getDuration());
    assertThat(request).isNotNull();
    RdmaConnection theirs = request.accept(far.queuePairs(), Offer.NOTHING);
    connected.get(30, TimeUnit.SECONDS).close();
    theirs.close();
  }

  @Test
  void aDisconnectedPeerGetsFlushedRequests() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near.queuePairs(), Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    theirs.queuePair().receive().empty().post(7);
    theirs.queuePair().ringReceiveDoorbell();
    mine.close();
    mine.close();
    assertThat(ending(mine)).isEqualTo(Ending.DISCONNECTED_HERE);
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    assertThat(theirs.isOpen()).isFalse();
    far.expect(7, CompletionStatus.WORK_REQUEST_FLUSHED);
    theirs.disconnect();
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> mine.queuePair().query());
    assertThat(theirs.queuePair().query()).isNotNull();
    theirs.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> theirs.queuePair().query());
  }

  @Test
  void aServerRejectsWithItsReason() throws Exception {
    CompletableFuture<ConnectionRequest> seen = new CompletableFuture<>();
    Future<?> unused =
        serving.submit(
            () -> {
              ConnectionRequest request = next();
              request.reject((byte) 4, (byte) 2);
              return seen.complete(request);
            });
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> client().connect(near.queuePairs(), Offer.NOTHING))
        .satisfies(e -> assertThat(e.privateData()).startsWith(4, 2));
    ConnectionRequest request = seen.get(30, TimeUnit.SECONDS);
    assertThatIllegalStateException().isThrownBy(() -> request.reject());
    assertThatIllegalStateException()
        .isThrownBy(() -> request.accept(far.queuePairs(), Offer.NOTHING));
    near.expectNoQueuePairs();
  }

  @Test
  void aClientReconnectsWithANewQueuePair() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near.queuePairs(), Offer.of(near.memory().remote()));
    RdmaConnection lost = accepted.get(30, TimeUnit.SECONDS);
    int before = first.queuePair().number();
    first.queuePair().receive().empty().post(3);
    first.queuePair().ringReceiveDoorbell();
    lost.close();
    assertThat(ending(first)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    near.expect(3, CompletionStatus.WORK_REQUEST_FLUSHED);

    Future<RdmaConnection> again = acceptNext();
    RdmaConnection second = client.reconnect(first, PATIENCE);
    assertThat(second.queuePair().number()).isNotEqualTo(before);
    assertThat(again.get(30, TimeUnit.SECONDS).offer().memory())
        .containsExactly(near.memory().remote());
    second.queuePair().nop().signaled(1);
    second.queuePair().ringDoorbell();
    near.expectSuccess(1);
    assertThatIllegalArgumentException().isThrownBy(() -> client.reconnect(first, PATIENCE));
    second.close();
  }

  @Test
  void theEndOfAConnectionMayBeHandledByReconnecting() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near.queuePairs(), Offer.NOTHING);
    CompletableFuture<RdmaConnection> second =
        first.ended().thenApply(how -> reconnected(client, first));
    RdmaConnection lost = accepted.get(30, TimeUnit.SECONDS);
    Future<RdmaConnection> again = acceptNext();
    lost.close();
    second.get(60, TimeUnit.SECONDS).close();
    again.get(30, TimeUnit.SECONDS).close();
  }

  private static RdmaConnection reconnected(RdmaClient client, RdmaConnection before) {
    try {
      return client.reconnect(before, PATIENCE);
    } catch (ConnectionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void thePeerHearsOfADisconnectBeforeTheActionsAtItsEnd() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection here = client().connect(near.queuePairs(), Offer.NOTHING);
    RdmaConnection there = accepted.get(30, TimeUnit.SECONDS);
    CompletableFuture<Ending> heard =
        here.ended().thenApply(how -> there.ended().copy().orTimeout(20, TimeUnit.SECONDS).join());
    here.disconnect();
    assertThat(heard.get(60, TimeUnit.SECONDS)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    here.close();
    there.close();
  }

  @Test
  void aClientDoesNotKeepClosedConnectionsReachable() throws Exception {
    RdmaClient client = client();
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<?> user = connectAndClose(client, collected);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    do {
      assertThat(System.nanoTime()).as("collected in time").isLessThan(deadline);
      System.gc();
    } while (collected.remove(10) == null);
    assertThat(user.get()).isNull();
    assertThat(client).isNotNull();
  }

  /** Returns an object that has a connection, and creates its queue pair. */
  private WeakReference<?> connectAndClose(RdmaClient client, ReferenceQueue<Object> collected)
      throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    AtomicReference<RdmaConnection> user = new AtomicReference<>();
    user.set(
        client.connect(
            () -> {
              assertThat(user.get()).isNull();
              return near.queuePairs().get();
            },
            Offer.NOTHING));
    accepted.get(30, TimeUnit.SECONDS).close();
    user.get().close();
    return new WeakReference<>(user, collected);
  }

  @Test
  void aClientWaitsForAServerThatComesBack() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near.queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    InetSocketAddress address = server.address();
    server.close();
    Future<RdmaConnection> second = serving.submit(() -> client.reconnect(first, PATIENCE));
    server = servers.listen(address);
    next().accept(far.queuePairs(), Offer.NOTHING).close();
    second.get(30, TimeUnit.SECONDS).close();
  }

  @Test
  void aReconnectionWaitsForAMissingServerNoLongerThanAsked() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near.queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    server.close();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client.reconnect(first, Duration.ZERO))
        .withMessageContaining("can't be reached");
    near.expectNoQueuePairs();
  }

  @Test
  void aClientThatDidNotReachTheServerMayReconnectLater() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near.queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    InetSocketAddress address = server.address();
    server.close();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client.reconnect(first, Duration.ZERO));
    server = servers.listen(address);
    Future<RdmaConnection> again = serving.submit(this::acceptFirstThatWaits);
    client.reconnect(first, PATIENCE).close();
    again.get(30, TimeUnit.SECONDS).close();
  }

  @Test
  void aReconnectionThatFailsHereIsNotRepeated() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Supplier<RcQueuePair> once =
        () -> {
          if (calls.incrementAndGet() > 1) {
            throw new IllegalStateException("there is only one");
          }
          return near.queuePairs().get();
        };
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(once, Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client.reconnect(first, Duration.ofSeconds(1)))
        .withMessage("can't connect to %s: there is only one", server.address());
    assertThat(calls).hasValue(2);
  }

  @Test
  void anErrorOfTheAcceptingSideIsThrownAndEndsTheRequest() throws Exception {
    Future<RdmaConnection> asked = serve(() -> client().connect(near.queuePairs(), Offer.NOTHING));
    ConnectionRequest request = next();
    AssertionError defect = new AssertionError("a defect");
    assertThatThrownBy(() -> request.accept(throwing(defect), Offer.NOTHING)).isSameAs(defect);
    assertThat(asked)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(ConnectionException.class)
        .withMessageNotContaining("answer");
    near.expectNoQueuePairs();
  }

  @Test
  void anErrorOfTheConnectingSideIsThrown() {
    AssertionError defect = new AssertionError("a defect");
    assertThatThrownBy(() -> client().connect(throwing(defect), Offer.NOTHING)).isSameAs(defect);
  }

  private static Supplier<RcQueuePair> throwing(Error defect) {
    return () -> {
      throw defect;
    };
  }

  @Test
  void aSupplierOfNoQueuePairOrOfAConnectedOneIsNamed() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near.queuePairs(), Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client().connect(() -> null, Offer.NOTHING))
        .withMessageEndingWith(": the supplier of the queue pair returned null")
        .satisfies(e -> assertThat(e.toString()).contains("connect.ConnectionException: can't"));
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client().connect(mine::queuePair, Offer.NOTHING))
        .withMessageEndingWith(
            "the supplier of the queue pair returned %s, which is in RTS: it must return a new one",
            mine.queuePair());
    assertThat(mine.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
    theirs.close();
    mine.close();
  }

  /** Nothing is outstanding on its queue pair, so no completion comes. */
  @Test
  void theEndOfAConnectionMayWakeAThreadThatWaitsForCompletions() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(near.queuePairs(), Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    CompletableFuture<Void> unused = theirs.ended().thenRun(far.completions()::wakeup);
    mine.close();
    assertThat(far.completions().awaitCompletions(FOREVER)).isFalse();
    assertThat(theirs.ended()).isDone();
    theirs.close();
  }

  @Test
  void aReconnectionIsRepeatedWhenTheServerFailedToAccept() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(near.queuePairs(), Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    Future<RdmaConnection> second = serving.submit(() -> client.reconnect(first, PATIENCE));
    ConnectionRequest request = next();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(
            () ->
                request.accept(
                    () -> {
                      throw new IllegalStateException("not yet");
                    },
                    Offer.NOTHING));
    next().accept(far.queuePairs(), Offer.NOTHING).close();
    second.get(30, TimeUnit.SECONDS).close();
  }

  @Test
  void closingAServerWakesTheThreadThatWaitsForRequests() throws Exception {
    assertThat(server.next(Duration.ofMillis(1))).isNull();
    Future<?> waiting = serving.submit(() -> server.next(PATIENCE));
    server.close();
    server.close();
    assertThat(waiting)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void offersHaveBounds() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Offer(new byte[197], List.of()));
    RemoteMemory[] many = new RemoteMemory[17];
    Arrays.fill(many, near.memory().remote());
    assertThatIllegalArgumentException().isThrownBy(() -> Offer.of(many));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client().connect(near.queuePairs(), new Offer(new byte[57], List.of())));
  }
}
