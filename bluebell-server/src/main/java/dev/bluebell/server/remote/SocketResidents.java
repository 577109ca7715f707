package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaResidents;
import dev.bluebell.server.remote.Message.Request;
import java.util.ArrayList;
import java.util.List;

/** The residents of a device process, queried over its socket. */
final class SocketResidents implements HcaResidents {
  private final Connection connection;

  SocketResidents(Connection connection) {
    this.connection = connection;
  }

  @Override
  public List<Resident> list() {
    Message answer = connection.call(Message.of(Request.RESIDENTS));
    List<Resident> residents = new ArrayList<>();
    for (int left = answer.takeInt(); left > 0; left--) {
      residents.add(
          new Resident(answer.takeString(), answer.takeInt(), answer.takeInt(), answer.takeLong()));
    }
    return residents;
  }

  @Override
  public String notice(String name) {
    return connection.call(Message.of(Request.NOTICE).put(name)).takeString();
  }

  @Override
  public void join(String name, int qpn, byte[] toRtr, byte[] toRts) {
    connection.request(Message.of(Request.JOIN_RESIDENT).put(name).put(qpn).put(toRtr).put(toRts));
  }

  @Override
  public List<String> diagnose(String name, long token) {
    return connection.call(Message.of(Request.DIAGNOSE_RESIDENT).put(name).put(token)).takeLines();
  }

  @Override
  public void remove(String name, long token) {
    remove(name, token, false);
  }

  @Override
  public void forceRemove(String name) {
    remove(name, 0, true);
  }

  private void remove(String name, long token, boolean force) {
    connection.request(Message.of(Request.REMOVE_RESIDENT).put(name).put(token).put(force ? 1 : 0));
  }
}
