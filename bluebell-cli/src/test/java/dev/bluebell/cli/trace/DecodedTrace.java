package dev.bluebell.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A trace decoded by protobuf's own decoder, with Perfetto's published schema. */
public final class DecodedTrace {
  private static final String SCHEMA = "perfetto.textproto";

  private final Map<Long, String> tracks = new HashMap<>();
  private final List<Event> events = new ArrayList<>();

  /** An event of a track. */
  public record Event(
      long nanos,
      String type,
      long track,
      String name,
      List<Long> flows,
      List<Long> lastFlows,
      long value,
      Map<String, Object> notes) {}

  /** Decodes a trace; the schema must define every field in it. */
  public DecodedTrace(byte[] bytes) throws IOException {
    Message trace = DynamicMessage.parseFrom(schema(), bytes);
    requireKnown(trace);
    for (Message packet : messages(trace, "packet")) {
      if (has(packet, "track_descriptor")) {
        Message descriptor = message(packet, "track_descriptor");
        tracks.put((Long) value(descriptor, "uuid"), (String) value(descriptor, "name"));
      } else {
        add(packet);
      }
    }
  }

  private static Descriptor schema() throws IOException {
    FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
    try (InputStream in = DecodedTrace.class.getResourceAsStream(SCHEMA);
        Reader text = new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8)) {
      TextFormat.merge(text, file);
      return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0])
          .findMessageTypeByName("Trace");
    } catch (DescriptorValidationException e) {
      throw new IOException(e);
    }
  }

  /** Fails for unknown fields, which would otherwise be dropped silently. */
  private static void requireKnown(Message message) {
    assertThat(message.getUnknownFields().asMap()).as(message::toString).isEmpty();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (value instanceof Message inner) {
                requireKnown(inner);
              } else if (value instanceof List<?> list) {
                list.stream()
                    .filter(Message.class::isInstance)
                    .forEach(inner -> requireKnown((Message) inner));
              }
            });
  }

  private void add(Message packet) {
    Message event = message(packet, "track_event");
    Map<String, Object> notes = new HashMap<>();
    for (Message note : messages(event, "debug_annotations")) {
      notes.put(
          (String) value(note, "name"),
          has(note, "string_value") ? value(note, "string_value") : value(note, "uint_value"));
    }
    events.add(
        new Event(
            (Long) value(packet, "timestamp"),
            ((EnumValueDescriptor) value(event, "type")).getName(),
            (Long) value(event, "track_uuid"),
            (String) value(event, "name"),
            numbers(event, "flow_ids"),
            numbers(event, "terminating_flow_ids"),
            (Long) value(event, "counter_value"),
            notes));
  }

  private static boolean has(Message message, String field) {
    return message.hasField(message.getDescriptorForType().findFieldByName(field));
  }

  private static Object value(Message message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }

  private static Message message(Message message, String field) {
    return (Message) value(message, field);
  }

  private static List<Message> messages(Message message, String field) {
    return ((List<?>) value(message, field)).stream().map(Message.class::cast).toList();
  }

  private static List<Long> numbers(Message message, String field) {
    return ((List<?>) value(message, field)).stream().map(Long.class::cast).toList();
  }

  /** Names of the tracks. */
  public Map<Long, String> tracks() {
    return tracks;
  }

  /** All events, in the order of the trace. */
  public List<Event> events() {
    return events;
  }

  /** The events of a type, such as {@code TYPE_INSTANT}. */
  public List<Event> events(String type) {
    return events.stream().filter(event -> event.type().equals(type)).toList();
  }
}
