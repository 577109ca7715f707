package dev.bluebell.conformance;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStream;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.StreamOperations;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.XrcInitiator;
import java.util.Arrays;
import java.util.List;

/** The kinds of connections: the columns of the table of operations. */
public enum ConnectionKind {
  RC("RC", ServiceType.RC, RcQueuePair.class),
  RELAXED_RC("relaxed RC", ServiceType.RC, RelaxedRcQueuePair.class),
  UC("UC", ServiceType.UC, UcQueuePair.class),
  UD("UD", ServiceType.UD, UdQueuePair.class, MessageOperations.class),
  DC("DC", ServiceType.DCI, DcInitiator.class, ReliableOperations.class),
  DC_STREAM(
      "DC stream",
      ServiceType.DCI,
      DcStreamInitiator.class,
      DcStream.class,
      StreamOperations.class),
  XRC("XRC", ServiceType.XRC, XrcInitiator.class, ReliableOperations.class);

  private final String title;
  private final ServiceType service;
  private final List<Class<?>> stages;

  /**
   * @param stages the types whose methods begin requests
   */
  ConnectionKind(String title, ServiceType service, Class<?>... stages) {
    this.title = title;
    this.service = service;
    this.stages = List.of(stages);
  }

  /** The capabilities that a device needs for this kind, as in {@link Needs}. */
  List<String> needs() {
    return switch (this) {
      case RC, RELAXED_RC -> List.of("rc");
      case UC -> List.of("uc");
      case UD -> List.of("ud");
      case DC -> List.of("dct");
      case DC_STREAM ->
          List.of("dct", "log_max_dci_stream_channels", "log_max_dci_errored_streams");
      case XRC -> List.of("xrc");
    };
  }

  /** The service type of the send queue. */
  ServiceType service() {
    return service;
  }

  /** True when the driver has stages that begin with a method of this name. */
  boolean hasStages(String method) {
    return stages.stream()
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .anyMatch(each -> each.getName().equals(method));
  }

  /** True when lost packets are retransmitted. */
  boolean isReliable() {
    return service != ServiceType.UC && service != ServiceType.UD;
  }

  @Override
  public String toString() {
    return title;
  }
}
