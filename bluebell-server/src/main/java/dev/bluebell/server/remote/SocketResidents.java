package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaResidents;
import dev.bluebell.server.remote.Message.Request;
import java.util.ArrayList;
import java.util.List;

/** Asks a device process for what it took over. */
final class SocketResidents implements HcaResidents {
  private final Connection connection;

  SocketResidents(Connection connection) {
    this.connection = connection;
  }

  @Override
  public List<Resident> list() {
    Message answer = connection.call(Message.of(Request.RESIDENTS)).message();
    List<Resident> residents = new ArrayList<>();
    for (int left = answer.takeInt(); left > 0; left--) {
      residents.add(
          new Resident(answer.takeString(), answer.takeInt(), answer.takeInt(), answer.takeLong()));
    }
    return residents;
  }

  @Override
  public void remove(String name) {
    Connection.Answer unused = connection.call(Message.of(Request.REMOVE_RESIDENT).put(name));
  }
}
