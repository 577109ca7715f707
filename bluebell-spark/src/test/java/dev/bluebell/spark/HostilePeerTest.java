package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.connect.RejectedException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that break the protocol, with the token of the application. */
class HostilePeerTest extends TwoExecutors {
  private static final Duration SLICE = Duration.ofSeconds(1);

  private void attack(List<byte[]> messages) throws Exception {
    attack(messages, () -> {});
  }

  /**
   * A reader that sends messages of its own, and waits until it is disconnected.
   *
   * @param connected called before it sends
   */
  private void attack(List<byte[]> messages, Runnable connected) throws Exception {
    try (Device device = Device.open(device(4))) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(64);
      MemoryRegion memory = domain.allocate(2 * Messages.BYTES);
      RdmaConnection connection =
          Connections.tcp()
              .client(new InetSocketAddress("127.0.0.1", writer.endpoint().port()))
              .connect(
                  () -> domain.rcQueuePair(completions).create(),
                  new Offer(writer.endpoint().token(), List.of()));
      RcQueuePair queuePair = connection.queuePair();
      connected.run();
      for (byte[] message : messages) {
        memory.segment().asByteBuffer().put(message);
        queuePair.send().gather(memory, 0, message.length).signaled(1);
        queuePair.ringDoorbell();
        while (completions.poll(completion -> {}) == 0) {
          completions.awaitCompletions(SLICE);
        }
      }
      assertThat(connection.ended().get()).isNotNull();
    }
  }

  private static byte[] locate(int request, Block... blocks) {
    ByteBuffer message = ByteBuffer.allocate(Messages.BYTES);
    Messages.putLocate(message, request, List.of(blocks));
    return Arrays.copyOf(message.array(), message.position());
  }

  private static byte[] message(int type, int request, int count, int bytes) {
    return ByteBuffer.allocate(bytes).putInt(type).putInt(request).putInt(count).array();
  }

  static Stream<Arguments> attacks() {
    Block block = new Block(SHUFFLE, 0, 0, 1);
    byte[] noise = new byte[Messages.BYTES];
    new SplittableRandom(5).nextBytes(noise);
    return Stream.of(
        Arguments.of("three bytes", List.of(new byte[] {1, 2, 3})),
        Arguments.of("zeros", List.of(new byte[Messages.BYTES])),
        Arguments.of("noise", List.of(noise)),
        Arguments.of("more than a message has", List.of(new byte[Messages.BYTES + 1])),
        Arguments.of("a negative shuffle", List.of(locate(0, new Block(-1, 0, 0, 1)))),
        Arguments.of("fewer blocks than announced", List.of(message(1, 0, 300, 100))),
        Arguments.of("a negative number of blocks", List.of(message(1, 0, -5, 12))),
        Arguments.of("a request number that is too large", List.of(locate(16, block))),
        Arguments.of("a negative request number", List.of(locate(-1, block))),
        Arguments.of("an answer", List.of(message(2, 0, 0, 12))),
        Arguments.of("a release of nothing", List.of(Messages.release(0))),
        Arguments.of(
            "two releases", List.of(locate(3, block), Messages.release(3), Messages.release(3))),
        Arguments.of(
            "more requests than there may be",
            IntStream.range(0, 100).mapToObj(i -> locate(i % 17, block)).toList()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void aReaderThatBreaksTheProtocolIsDisconnectedAndOthersAreServed(
      String name, List<byte[]> messages) throws Exception {
    attack(messages);
    fetchRight(0, 5);
    assertThat(spark.asked()).isEmpty();
  }

  /**
   * A queue pair that sends a message that is too long as soon as it is connected, before its peer
   * notices, and waits until the peer has closed its own queue pair.
   */
  private RcQueuePair hasty(RcQueuePair queuePair, CompletionQueue completions, MemoryRegion from) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Object result = method.invoke(queuePair, arguments);
          if (method.getName().equals("connect")) {
            queuePair.send().gather(from.address(), Messages.BYTES + 1, from.lkey()).signaled(1);
            queuePair.ringDoorbell();
            while (completions.poll(completion -> {}) == 0) {
              completions.awaitCompletions(SLICE);
            }
            String peer = "QP 0x%x:".formatted(((QueuePairEndpoint) arguments[0]).qpn());
            while (writerDevice.diagnosis().orElseThrow().objects().stream()
                .anyMatch(line -> line.startsWith(peer))) {
              Thread.onSpinWait();
            }
          }
          return result;
        };
    return (RcQueuePair)
        Proxy.newProxyInstance(
            RcQueuePair.class.getClassLoader(), new Class<?>[] {RcQueuePair.class}, handler);
  }

  @Test
  void aReaderWhoseConnectionFailsBeforeItIsEstablishedIsDisconnected() throws Exception {
    try (Device device = Device.open(device(4))) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(64);
      MemoryRegion memory = domain.allocate(2 * Messages.BYTES);
      RdmaConnection connection =
          Connections.tcp()
              .client(new InetSocketAddress("127.0.0.1", writer.endpoint().port()))
              .connect(
                  () -> hasty(domain.rcQueuePair(completions).create(), completions, memory),
                  new Offer(writer.endpoint().token(), List.of()));
      assertThat(connection.ended().get()).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    }
  }

  /** Half of a message would keep its receive otherwise. */
  @Test
  void theQueuePairOfAReaderWhoseConnectionIsNotEstablishedIsFlushedBeforeItIsClosed()
      throws Exception {
    CountDownLatch flushed = new CountDownLatch(1);
    writerDevice.change(CommandOpcode.QP_2ERR, command -> flushed.countDown());
    try (Device device = Device.open(device(4))) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(64);
      RcQueuePair queuePair = domain.rcQueuePair(completions).create();
      InvocationHandler failing =
          (proxy, method, arguments) -> {
            if (method.getName().equals("connect")) {
              throw new IllegalStateException("it does not connect");
            }
            return method.invoke(queuePair, arguments);
          };
      RcQueuePair broken =
          (RcQueuePair)
              Proxy.newProxyInstance(
                  RcQueuePair.class.getClassLoader(), new Class<?>[] {RcQueuePair.class}, failing);
      RdmaClient hostile =
          Connections.tcp().client(new InetSocketAddress("127.0.0.1", writer.endpoint().port()));
      Offer token = new Offer(writer.endpoint().token(), List.of());
      assertThatThrownBy(() -> hostile.connect(() -> broken, token))
          .hasMessageContaining("it does not connect");
      assertThat(flushed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aReaderForWhichThereIsNoThreadIsRejectedAndTheNextOneIsAccepted() throws Exception {
    AtomicBoolean isFull = new AtomicBoolean(true);
    Executor threads =
        task -> {
          if (isFull.getAndSet(false)) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          task.run();
        };
    byte[] token = writer.endpoint().token();
    try (Device device = Device.open(device(4));
        BlockServer server =
            new BlockServer(
                writer,
                Connections.tcp().listen(new InetSocketAddress("127.0.0.1", 0)),
                threads,
                token)) {
      server.start();
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(64);
      RdmaClient client = Connections.tcp().client(server.address());
      Offer offer = new Offer(token, List.of());
      Supplier<RcQueuePair> queuePairs = () -> domain.rcQueuePair(completions).create();
      assertThatThrownBy(() -> client.connect(queuePairs, offer))
          .isInstanceOf(RejectedException.class);
      client.connect(queuePairs, offer).close();
    }
  }

  @Test
  void aPeerThatAsksTwiceWithOneNumberIsDisconnectedAndHoldsNoFile() throws Exception {
    byte[] question = locate(7, new Block(SHUFFLE, 0, 0, 1));
    attack(List.of(question, question));
    RegisteredFiles.RegisteredFile registered = writer.files().use(file);
    registered.release();
    writer.files().forget(file);
    while (registered.isOpen()) {
      // The connection's end is handled by another thread.
      Thread.onSpinWait();
    }
    fetchRight(0, 5);
    assertThat(spark.asked()).isEmpty();
    assertThat(count(writerCounters, "registrations")).isEqualTo(2);
  }

  @Test
  void aReaderThatAsksTwiceDuringARegistrationHoldsNoFile() throws Exception {
    byte[] question = locate(7, new Block(SHUFFLE, 0, 0, 1));
    attack(List.of(question, question), writerDevice::hold);
    writerDevice.awaitHeld();
    writerDevice.let();
    RegisteredFiles.RegisteredFile registered = writer.files().use(file);
    registered.release();
    writer.files().forget(file);
    while (registered.isOpen()) {
      Thread.onSpinWait();
    }
    fetchRight(0, 5);
    assertThat(spark.asked()).isEmpty();
  }

  private static byte[] located(int request, Messages.Place... places) {
    ByteBuffer message = ByteBuffer.allocate(Messages.BYTES);
    Messages.putLocated(message, request, List.of(places));
    return Arrays.copyOf(message.array(), message.position());
  }

  static Stream<Arguments> answers() {
    Messages.Place wrong = new Messages.Place(0x1000, 0x12345600, BLOCK_BYTES);
    Messages.Place empty = new Messages.Place(0, 0, 0);
    Messages.Place large = new Messages.Place(0, 0, Integer.MAX_VALUE);
    Messages.Place negative = new Messages.Place(0, 0, -1);
    byte[] wrongKeys = located(0, wrong, wrong, wrong);
    return Stream.of(
        Arguments.of("three bytes", List.of(new byte[] {1, 2, 3})),
        Arguments.of("zeros", List.of(new byte[Messages.BYTES])),
        Arguments.of("more than a message has", List.of(new byte[Messages.BYTES + 1])),
        Arguments.of("too few places", List.of(located(0, empty, empty))),
        Arguments.of("too many places", List.of(located(0, empty, empty, empty, empty))),
        Arguments.of("another request", List.of(located(1, empty, empty, empty))),
        Arguments.of("a request out of range", List.of(located(-1, empty, empty, empty))),
        Arguments.of("keys of nothing", List.of(wrongKeys)),
        Arguments.of("two answers", List.of(wrongKeys, wrongKeys)),
        Arguments.of("more bytes than there is memory", List.of(located(0, large, large, large))),
        Arguments.of("a negative length", List.of(located(0, empty, empty, negative))),
        Arguments.of("a question", List.of(locate(0, new Block(SHUFFLE, 0, 0, 1)))),
        Arguments.of("a release", List.of(Messages.release(0))),
        Arguments.of("a refusal", List.of(message(2, 0, -1, 12))),
        Arguments.of("the end of the connection", List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @Tag("slow")
  @MethodSource("answers")
  void blocksWithAWrongAnswerAreFetchedByTheOtherTransfer(String name, List<byte[]> answers)
      throws IOException {
    fetchFrom(answers, true);
  }

  @Test
  @Tag("slow")
  void blocksWithoutAnAnswerInTimeAreFetchedByTheOtherTransfer() throws IOException {
    reader.close();
    connect(settings(3, 64 << 20, NEVER, Duration.ofSeconds(1)));
    fetchFrom(List.of(), false);
  }

  /**
   * Fetches from a writer that answers the first request as it likes.
   *
   * @param hangsUp whether it ends the connection when it has no answer
   */
  private void fetchFrom(List<byte[]> answers, boolean hangsUp) throws IOException {
    try (Device device = Device.open(device(5));
        RdmaServer server = Connections.tcp().listen(new InetSocketAddress("127.0.0.1", 0))) {
      Endpoint endpoint = new Endpoint(server.address().getPort(), new byte[Endpoint.TOKEN_BYTES]);
      spark.has(Endpoint.BLOCK.name(), endpoint::bytes);
      Thread.ofVirtual().start(() -> serve(device, server, answers, hangsUp));
      fetchRight(0, 3);
      assertThat(spark.asked()).containsExactly(ids(0, 3));
      assertThat(count(readerCounters, "blocksByRdma")).isZero();
    }
  }

  private static void serve(
      Device device, RdmaServer server, List<byte[]> answers, boolean hangsUp) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    EventLoop loop =
        new EventLoop(device, domain, new LastReceives(device, SLICE), "hostile", 1, failure -> {});
    loop.start();
    CompletableFuture<RdmaConnection> connection = new CompletableFuture<>();
    Runnable hangUp =
        () -> {
          CompletableFuture<Void> unused = connection.thenAcceptAsync(RdmaConnection::close);
        };
    try {
      ConnectionRequest request = server.next(PATIENCE);
      connection.complete(
          request.accept(
              () -> {
                RcQueuePair queuePair = loop.create(Access.REMOTE_READ);
                loop.add(
                    queuePair,
                    new Answering(domain, queuePair, answers, hangsUp ? hangUp : () -> {}));
                return queuePair;
              },
              Offer.NOTHING));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends answers, whatever it is asked. */
  private record Answering(
      ProtectionDomain domain, RcQueuePair queuePair, List<byte[]> answers, Runnable hangUp)
      implements EventLoop.Handler {
    @Override
    public void received(ByteBuffer message) {
      for (byte[] answer : answers) {
        MemoryRegion memory = domain.allocate(answer.length);
        memory.segment().asByteBuffer().put(answer);
        queuePair.send().gather(memory, 0, answer.length).signaled(1);
        queuePair.ringDoorbell();
      }
      if (answers.isEmpty()) {
        hangUp.run();
      }
    }

    @Override
    public void completed(long id) {
      // An answer was sent.
    }

    @Override
    public void failed(String reason) {
      // The reader has ended the connection.
    }
  }
}
