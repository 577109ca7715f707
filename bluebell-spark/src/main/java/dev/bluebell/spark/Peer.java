package dev.bluebell.spark;

import dev.bluebell.connect.RdmaClient;
import dev.bluebell.hca.HcaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Another executor, and the queue pairs to it. Thread-safe. */
final class Peer {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");

  private final ShuffleNode node;
  private final Name name;
  private final BlockStoreClient spark;
  private final BiConsumer<Fetch, String[]> fallback;
  private final Map<Integer, CompletableFuture<@Nullable PeerConnection>> connections =
      new HashMap<>();
  private @Nullable CompletableFuture<Endpoint> endpoint;
  private int turn;
  private final Pause pause;

  /** An executor as Spark names it. */
  record Name(String host, int port, String executor) {
    @Override
    public String toString() {
      return "executor %s at %s:%d".formatted(executor, host, port);
    }
  }

  /**
   * @param spark fetches the endpoint at which the executor listens
   */
  Peer(ShuffleNode node, Name name, BlockStoreClient spark, BiConsumer<Fetch, String[]> fallback) {
    this.node = node;
    this.name = name;
    this.spark = spark;
    this.fallback = fallback;
    pause = new Pause(node.settings().retryInterval());
  }

  /** Returns the next connection, which another thread makes; null when there cannot be one now. */
  synchronized CompletableFuture<@Nullable PeerConnection> connection() {
    turn = (turn + 1) % node.settings().connectionsPerPeer();
    CompletableFuture<@Nullable PeerConnection> known = connections.get(turn);
    if (known != null && !isOver(known)) {
      return known;
    }
    if (pause.isRunning()) {
      return CompletableFuture.completedFuture(null);
    }
    if (endpoint == null) {
      endpoint = ask();
    }
    CompletableFuture<@Nullable PeerConnection> made =
        endpoint.handleAsync(this::connect, node::execute);
    int number = turn;
    connections.put(number, made);
    CompletableFuture<?> unused =
        made.thenAccept(
            connection -> {
              if (connection != null) {
                connection.whenEnded(() -> forget(number, made));
              }
            });
    return made;
  }

  /**
   * Spark replaces executors under new names for as long as an application runs, and an ended
   * connection still has the memory of its queues.
   */
  private synchronized void forget(int number, CompletableFuture<@Nullable PeerConnection> ended) {
    connections.remove(number, ended);
  }

  private static boolean isOver(CompletableFuture<@Nullable PeerConnection> connection) {
    return switch (connection.state()) {
      case RUNNING -> false;
      case FAILED, CANCELLED -> true;
      case SUCCESS -> {
        PeerConnection made = connection.resultNow();
        yield made == null || !made.isOpen();
      }
    };
  }

  private CompletableFuture<Endpoint> ask() {
    CompletableFuture<Endpoint> answer = new CompletableFuture<>();
    // Spark may have to connect first. A task that is cancelled meanwhile is interrupted, and would
    // take the answer away from all others.
    node.execute(() -> ask(answer));
    return answer;
  }

  private void ask(CompletableFuture<Endpoint> answer) {
    BlockFetchingListener listener =
        new BlockFetchingListener() {
          @Override
          public void onBlockFetchSuccess(String id, ManagedBuffer data) {
            try {
              answer.complete(Endpoint.of(data.nioByteBuffer()));
            } catch (IOException | IllegalArgumentException e) {
              answer.completeExceptionally(e);
            }
          }

          @Override
          public void onBlockFetchFailure(String id, Throwable cause) {
            answer.completeExceptionally(cause);
          }
        };
    try {
      spark.fetchBlocks(
          name.host,
          name.port,
          name.executor,
          new String[] {Endpoint.BLOCK.name()},
          listener,
          null);
    } catch (RuntimeException | OutOfMemoryError e) {
      answer.completeExceptionally(e);
    }
  }

  private @Nullable PeerConnection connect(@Nullable Endpoint where, @Nullable Throwable unknown) {
    if (where == null) {
      return refuse("its address is unknown: " + unknown);
    }
    if (where.port() == 0) {
      return refuse("it has no device");
    }
    if (!node.fetching().reserve()) {
      return refuse(
          "spark.bluebell.maxConnections allows this executor only %d connections to others"
              .formatted(node.settings().maxConnections()));
    }
    RdmaClient client = node.connections().client(new InetSocketAddress(name.host, where.port()));
    PeerConnection made = null;
    try {
      made = new PeerConnection(node, name.toString(), client, where.token(), fallback);
      return made;
    } catch (IOException | HcaException | IllegalStateException | OutOfMemoryError e) {
      return refuse(String.valueOf(e.getMessage()));
    } finally {
      if (made == null) {
        node.fetching().giveBack();
      }
    }
  }

  /**
   * Logs why there is no connection, and pauses attempts. The endpoint is fetched again later,
   * because it may change.
   */
  private synchronized @Nullable PeerConnection refuse(String why) {
    endpoint = null;
    if (pause.beginUnlessRunning()) {
      LOG.warn("Blocks of {} are fetched by Spark's own transfer: {}", name, why);
    }
    return null;
  }
}
