package dev.bluebell.connect.cm;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.RdmaCmOptions;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server on an address of an RDMA device. */
final class CmServer implements RdmaServer {
  private final CmId id;
  private final Device device;
  private final InetSocketAddress address;
  private final RdmaCmOptions options;

  /** Requests that {@link #next} has not returned. Guarded by this. */
  private final ArrayDeque<CmRequest> requests = new ArrayDeque<>();

  /** Requests that were neither accepted nor rejected yet, whether queued or returned. */
  private int pending;

  private boolean closed;

  private CmServer(CmId id, Device device, InetSocketAddress address, RdmaCmOptions options) {
    this.id = id;
    this.device = device;
    this.address = address;
    this.options = options;
  }

  static CmServer listen(
      CmManager manager, Device device, InetSocketAddress address, RdmaCmOptions options)
      throws IOException {
    CmId id = manager.create();
    try {
      id.file().bind(id.number(), address);
      id.file().listen(id.number(), options.maxPending());
      CmServer server = new CmServer(id, device, id.file().ends(id.number()).source(), options);
      id.handle(server::take);
      return server;
    } catch (IOException | RuntimeException e) {
      id.destroy();
      throw e;
    }
  }

  // Called by the event thread.
  private synchronized void take(CmEvent event) {
    if (event.isRequest()) {
      try {
        enqueue(event);
      } catch (CmRefusal e) {
        // The peer has given up already.
        id.file().destroy(event.id());
      }
    } else if (event.is(CmEventType.DEVICE_REMOVAL)) {
      List<CmRequest> unused = shut();
    }
  }

  private synchronized void enqueue(CmEvent event) throws CmRefusal {
    if (closed || pending == options.maxPending()) {
      id.file().rejectForNow(event.id());
      id.file().destroy(event.id());
      return;
    }
    InetSocketAddress from = id.file().ends(event.id()).destination();
    requests.addLast(new CmRequest(id.manager(), device, event, from, options, this::answered));
    pending++;
    notifyAll();
  }

  private synchronized void answered() {
    pending--;
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public synchronized @Nullable ConnectionRequest next(Duration timeout)
      throws InterruptedException {
    // The longest times become 292 years.
    long deadline = System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    while (true) {
      if (closed) {
        throw new ClosedException("the server at %s is closed".formatted(address));
      }
      if (!requests.isEmpty()) {
        return requests.removeFirst();
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return null;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private synchronized List<CmRequest> shut() {
    closed = true;
    notifyAll();
    List<CmRequest> left = new ArrayList<>(requests);
    requests.clear();
    return left;
  }

  @Override
  public void close() {
    List<CmRequest> left = shut();
    try {
      // Events that are not fetched when the id ends are rejected as if the application did.
      id.manager().passAll();
    } catch (CmRefusal e) {
      // The device is closed or lost, and has rejected them.
    }
    id.destroy();
    left.forEach(CmRequest::drop);
  }

  @Override
  public String toString() {
    return "server at %s".formatted(address);
  }
}
