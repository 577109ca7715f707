package dev.bluebell.connect.cm;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RejectedException;
import dev.bluebell.connect.shared.LocalFailure;
import dev.bluebell.connect.shared.NewQueuePair;
import dev.bluebell.connect.shared.ReconnectingClient;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;

/** Connects to a server by the RDMA connection manager. */
final class CmDialer implements ReconnectingClient.Dialer {
  /** {@code ib_cm.h: IB_CM_REJ_INVALID_SERVICE_ID}. */
  private static final int NO_LISTENER = 8;

  /** {@code ib_cm.h: IB_CM_REJ_CONSUMER_DEFINED}. */
  private static final int BY_APPLICATION = 28;

  private final CmManager manager;
  private final Device device;
  private final InetSocketAddress server;

  CmDialer(CmManager manager, Device device, InetSocketAddress server) {
    this.manager = manager;
    this.device = device;
    this.server = server;
  }

  @Override
  public CmConnection connect(
      Supplier<RcQueuePair> maker, Offer offer, ConnectOptions connectOptions, Duration limit)
      throws ConnectionException {
    Agreement.requireOptions(connectOptions);
    byte[] data = PrivateData.of(offer, Offer.MAX_CONNECT_BYTES);
    long deadline = System.nanoTime() + limit.toNanos();
    CmId id = null;
    RcQueuePair queuePair = null;
    CmConnection made = null;
    try {
      id = manager.create();
      resolve(id, limit, deadline);
      queuePair = NewQueuePair.of(maker.get());
      id.file().connect(id.number(), Agreement.request(device, queuePair, connectOptions, data));
      Offer answer = PrivateData.offer(awaitAnswer(id, deadline).data());
      Agreement.connect(id, device, queuePair, connectOptions);
      id.file().acknowledge(id.number());
      made = CmConnection.watched(id, queuePair, answer, server);
      return made;
    } catch (RejectedException e) {
      throw e;
    } catch (IOException e) {
      throw manager.isOver()
          ? new LocalFailure(server, e)
          : new ConnectionException("%s can't be reached: %s".formatted(server, e.getMessage()), e);
    } catch (RuntimeException | OutOfMemoryError e) {
      // The queue pair and its rings may need more memory than there is.
      throw new LocalFailure(server, e);
    } finally {
      if (made == null) {
        if (id != null) {
          id.destroy();
        }
        if (queuePair != null) {
          queuePair.close();
        }
      }
    }
  }

  private void resolve(CmId id, Duration limit, long deadline) throws IOException {
    int millis = Math.toIntExact(limit.toMillis());
    id.file().resolve(id.number(), server, millis);
    CmEvent address = id.await(CmEventType.ADDR_RESOLVED, deadline);
    id.file().resolveRoute(address.id(), millis);
    CmEvent unused = id.await(CmEventType.ROUTE_RESOLVED, deadline);
  }

  private CmEvent awaitAnswer(CmId id, long deadline) throws ConnectionException {
    CmEvent event = id.await(deadline);
    if (event.is(CmEventType.CONNECT_RESPONSE)) {
      return event;
    }
    if (event.is(CmEventType.REJECTED) && event.status() == BY_APPLICATION) {
      if (PrivateData.isNotNow(event.data())) {
        throw new ConnectionException(
            "it rejects the connection for now: it closes, has too many requests, or failed to"
                + " accept");
      }
      throw new RejectedException("%s rejects the connection".formatted(server), event.data());
    }
    throw new ConnectionException(
        event.is(CmEventType.REJECTED) && event.status() == NO_LISTENER
            ? "no server listens there (reason 8)"
            : event.kind());
  }
}
