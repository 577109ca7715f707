package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.server.remote.Message.Request;
import java.util.List;
import java.util.Optional;

/** The diagnosis of the shared device, requested from the device process. */
final class SocketDiagnosis implements HcaDiagnosis {
  private final Connection connection;

  SocketDiagnosis(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Optional<String> explain(int cqn, int index) {
    return lines(Message.of(Request.EXPLAIN).put(cqn).put(index)).stream().findFirst();
  }

  @Override
  public List<String> explanations() {
    return lines(Message.of(Request.EXPLANATIONS));
  }

  @Override
  public List<HcaHappening> happenings() {
    return connection.call(Message.of(Request.FLIGHT_RECORD)).takeHappenings();
  }

  @Override
  public void trace(boolean on) {
    connection.request(Message.of(Request.TRACE).put(on ? 1 : 0));
  }

  @Override
  public List<String> objects() {
    return lines(Message.of(Request.OBJECTS));
  }

  private List<String> lines(Message request) {
    return connection.call(request).takeLines();
  }
}
