package dev.bluebell.server.remote;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.server.Client;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import java.io.IOException;

/**
 * The service for Java clients of a device process. Passes other kinds of clients at the same
 * socket to another service. Thread-safe.
 */
public final class RemoteService implements DeviceServer.Service {
  private final ClientShares shares;
  private final DeviceServer.Service others;
  private final Observers observers;
  private final Residents residents;

  /**
   * @param hca a device that can host other processes
   * @param others serves clients of other kinds
   * @throws IllegalArgumentException when it can't
   */
  public RemoteService(Hca hca, DeviceServer.Service others) {
    this(new Observers(hca), new ClientShares(hca), others);
  }

  /**
   * @param observers of a device
   * @param shares of that device, common to clients of all kinds
   * @param others serves clients of other kinds
   */
  public RemoteService(Observers observers, ClientShares shares, DeviceServer.Service others) {
    this.observers = observers;
    this.shares = shares;
    this.others = others;
    residents = new Residents(shares);
  }

  static HcaHosting hosting(Hca hca) {
    return hca.hosting()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "device %s can't be shared with other processes; use a software device"
                        .formatted(hca.name())));
  }

  @Override
  public void serve(Client client) throws IOException {
    if (Message.beginsWith(Message.HELLO, client.connection())) {
      serveJava(client);
    } else {
      others.serve(client);
    }
  }

  private void serveJava(Client client) throws IOException {
    Object process = client.process().identity();
    Hca share = shares.join(process);
    try {
      RemoteSession session = new RemoteSession(share, client, observers, residents);
      try {
        session.serve();
      } catch (Message.Malformed malformed) {
        throw new IOException(malformed.getMessage());
      } finally {
        session.close();
      }
    } finally {
      shares.leave(process);
    }
  }

  @Override
  public Quota quota(LocalSocket connection) {
    return others.quota(connection);
  }

  @Override
  public void refuse(LocalSocket connection, QuotaExceeded why) throws IOException {
    if (Message.beginsWith(Message.HELLO, connection)) {
      new Replies(connection).refused(why);
    } else {
      others.refuse(connection, why);
    }
  }
}
