package dev.bluebell.spark;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.hca.HcaException;
import dev.bluebell.spark.RegisteredFiles.RegisteredFile;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server from which other executors read this executor's map outputs. */
final class BlockServer implements AutoCloseable {
  /** Maximum number of unanswered requests of a reader. */
  static final int WINDOW = 16;

  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");
  private static final Duration SLICE = Duration.ofSeconds(10);

  private final ShuffleNode node;
  private final RdmaServer server;
  private final byte[] token;
  private final Executor accepting;
  private final Pause warning;
  private final Thread thread;

  /**
   * @param accepting runs tasks that accept or reject a request
   * @param token token that a reader must present, so that only executors of this application can
   *     read
   */
  BlockServer(ShuffleNode node, RdmaServer server, Executor accepting, byte[] token) {
    this.node = node;
    this.server = server;
    this.accepting = accepting;
    this.token = token.clone();
    warning = new Pause(node.settings().retryInterval());
    thread = Thread.ofPlatform().daemon().name("bluebell-shuffle-accept").unstarted(this::accept);
  }

  void start() {
    thread.start();
  }

  InetSocketAddress address() {
    return server.address();
  }

  private void accept() {
    try {
      while (true) {
        ConnectionRequest request = server.next(SLICE);
        if (request != null) {
          acceptLater(request);
        }
      }
    } catch (ClosedException | InterruptedException e) {
      // The executor ends.
    }
  }

  private void acceptLater(ConnectionRequest request) {
    try {
      accepting.execute(() -> accept(request));
    } catch (OutOfMemoryError e) {
      // There is no thread for it now; there may be one for the next request.
      request.reject();
    }
  }

  private void accept(ConnectionRequest request) {
    if (!MessageDigest.isEqual(token, request.offer().privateData())) {
      request.reject();
      warnOf(request);
    } else if (node.serving().reserve()) {
      serve(request);
    } else {
      request.reject();
    }
  }

  private void serve(ConnectionRequest request) {
    Reader reader;
    try {
      reader = new Reader();
    } catch (HcaException | IllegalStateException | OutOfMemoryError e) {
      // The device or the JVM has no memory for another reader.
      node.serving().giveBack();
      request.reject();
      LOG.info("The shuffle connection of {} was rejected: {}", request.from(), e.getMessage());
      return;
    }
    try {
      reader.begin(request);
    } catch (IOException | HcaException | IllegalStateException | OutOfMemoryError e) {
      LOG.info("The shuffle connection of {} failed: {}", request.from(), e.getMessage());
      reader.end();
    }
  }

  /**
   * Any client that can connect to the port can cause this, and must not be able to flood the log.
   */
  private synchronized void warnOf(ConnectionRequest request) {
    if (warning.beginUnlessRunning()) {
      LOG.warn(
          "{} asked for a shuffle connection without this application's token", request.from());
    }
  }

  /** Stops listening. */
  @Override
  public void close() {
    server.close();
  }

  /**
   * The connection of a reading executor. Its handler runs on the loop's thread, and other threads
   * locate the blocks.
   */
  private final class Reader implements EventLoop.Handler {
    private final MemoryRegion answers =
        node.domain().allocate((long) WINDOW * Messages.BYTES, Access.LOCAL_WRITE);

    private final Set<Integer> unanswered = new HashSet<>();

    /** Files in use by answered requests, by the number of the request. */
    private final Map<Integer, List<RegisteredFile>> inUse = new HashMap<>();

    private @Nullable RcQueuePair queuePair;
    private @Nullable RdmaConnection connection;
    private boolean ended;

    void begin(ConnectionRequest request) throws IOException {
      RdmaConnection accepted = request.accept(this::create, Offer.NOTHING);
      boolean failed;
      synchronized (this) {
        connection = accepted;
        failed = ended;
      }
      if (failed) {
        // The peer's first message may arrive, and end this reader, before the connection is set.
        accepted.close();
      } else {
        CompletableFuture<Void> unused = accepted.ended().thenAccept(how -> end());
      }
    }

    private RcQueuePair create() {
      RcQueuePair created = node.serving().create(Access.REMOTE_READ);
      queuePair = created;
      node.serving().add(created, this);
      return LentQueuePair.of(created, this::end);
    }

    @Override
    public void received(ByteBuffer message) {
      Messages.Header header = Messages.header(message);
      int request = header.request();
      switch (header.type()) {
        case Messages.LOCATE -> {
          List<Block> blocks = Messages.blocks(header, message);
          admit(request);
          // Reading an index file and registering a data file may take long, so not on this thread.
          node.execute(() -> answer(request, blocks));
        }
        case Messages.RELEASE -> release(request);
        default -> throw new IllegalArgumentException("a reader must not send answers");
      }
    }

    private synchronized void admit(int request) {
      if (request < 0
          || request >= WINDOW
          || inUse.containsKey(request)
          || !unanswered.add(request)) {
        throw new IllegalArgumentException(
            "request %d is still in use, or is not between 0 and %d"
                .formatted(request, WINDOW - 1));
      }
    }

    private void answer(int request, List<Block> blocks) {
      List<RegisteredFile> files = new ArrayList<>();
      List<Messages.Place> places = null;
      try {
        places = locate(blocks, files);
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        // The reader then falls back to Spark's own transfer, which reports what is wrong with the
        // files.
        LOG.debug("Blocks of {} can't be registered", blocks, e);
        files.forEach(RegisteredFile::release);
        files.clear();
      }
      try {
        if (!send(request, places, files)) {
          files.forEach(RegisteredFile::release);
        }
      } catch (HcaException | IllegalStateException e) {
        failed(String.valueOf(e.getMessage()));
      }
    }

    /** Sends an answer; false when the connection has ended. */
    private synchronized boolean send(
        int request, @Nullable List<Messages.Place> places, List<RegisteredFile> files) {
      RcQueuePair to = queuePair;
      if (ended || to == null) {
        return false;
      }
      unanswered.remove(request);
      int offset = request * Messages.BYTES;
      ByteBuffer answer = answers.segment().asSlice(offset, Messages.BYTES).asByteBuffer();
      if (places == null) {
        Messages.putRefusal(answer, request);
      } else {
        Messages.putLocated(answer, request, places);
        inUse.put(request, files);
      }
      to.send().gather(answers, offset, answer.position()).signaled(0);
      to.ringDoorbell();
      to.handOver();
      return true;
    }

    private List<Messages.Place> locate(List<Block> blocks, List<RegisteredFile> files)
        throws IOException {
      List<Messages.Place> places = new ArrayList<>(blocks.size());
      for (Block block : blocks) {
        FileSegmentManagedBuffer segment = node.segment(block);
        if (segment.getLength() == 0) {
          places.add(new Messages.Place(0, 0, 0));
          continue;
        }
        RegisteredFile file = node.files().use(segment.getFile());
        files.add(file);
        MemoryRegion region = file.region();
        if (segment.getLength() > Integer.MAX_VALUE
            || segment.getOffset() + segment.getLength() > region.length()) {
          throw new IOException("%s is not within its file".formatted(block));
        }
        places.add(
            new Messages.Place(
                region.address() + segment.getOffset(), region.rkey(), (int) segment.getLength()));
      }
      return places;
    }

    private synchronized void release(int request) {
      List<RegisteredFile> files = inUse.remove(request);
      if (files == null) {
        throw new IllegalArgumentException("request %d was not answered".formatted(request));
      }
      files.forEach(RegisteredFile::release);
    }

    @Override
    public void completed(long id) {
      // An answer was sent.
    }

    @Override
    public void failed(String reason) {
      LOG.debug("The connection of a reader failed: {}", reason);
      node.execute(this::end);
    }

    private void end() {
      @Nullable RdmaConnection open;
      synchronized (this) {
        if (ended) {
          return;
        }
        ended = true;
        open = connection;
      }
      if (queuePair != null) {
        node.serving().remove(queuePair, this);
        queuePair.close();
      }
      node.serving().giveBack();
      if (open != null) {
        open.close();
      }
      synchronized (this) {
        // The device no longer serves READs of the peer.
        inUse.values().forEach(files -> files.forEach(RegisteredFile::release));
        inUse.clear();
      }
      answers.close();
    }
  }
}
