package dev.bluebell.connect.cm;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaCmOptions;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.shared.NewQueuePair;
import dev.bluebell.connect.shared.PendingRequest;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** A peer's connection request, which has its own id. */
final class CmRequest extends PendingRequest {
  private final CmManager manager;
  private final Device device;
  private final CmEvent event;
  private final RdmaCmOptions options;

  /**
   * @param answered called once, when it is accepted or rejected
   */
  CmRequest(
      CmManager manager,
      Device device,
      CmEvent event,
      InetSocketAddress from,
      RdmaCmOptions options,
      Runnable answered) {
    super(from, PrivateData.offer(event.data()), answered);
    this.manager = manager;
    this.device = device;
    this.event = event;
    this.options = options;
  }

  @Override
  public RdmaConnection accept(
      Supplier<RcQueuePair> maker, Offer reply, ConnectOptions connectOptions)
      throws ConnectionException {
    Agreement.requireOptions(connectOptions);
    byte[] data = PrivateData.of(reply, Offer.MAX_ACCEPT_BYTES);
    answer();
    long deadline = System.nanoTime() + options.deadline().toNanos();
    CmId id = manager.adopt(event.id());
    RcQueuePair queuePair = null;
    try {
      queuePair = NewQueuePair.of(maker.get());
      Agreement.connect(id, device, queuePair, connectOptions);
      View parameters = Agreement.answer(event, device, queuePair, connectOptions, data);
      id.file().accept(id.number(), id.uid(), parameters);
      CmEvent unused = id.await(CmEventType.ESTABLISHED, deadline);
      return CmConnection.watched(id, queuePair, offer(), from());
    } catch (IOException | RuntimeException | Error e) {
      id.file().rejectForNow(id.number());
      id.destroy();
      if (queuePair != null) {
        queuePair.close();
      }
      throw failure(e);
    }
  }

  @Override
  protected void sendRejection(byte[] privateData) {
    try {
      manager.file().reject(event.id(), privateData);
    } catch (CmRefusal e) {
      // The peer has given up.
    }
    manager.file().destroy(event.id());
  }

  /** Ends a request that the server does not answer any more. */
  void drop() {
    manager.file().rejectForNow(event.id());
    manager.file().destroy(event.id());
  }
}
