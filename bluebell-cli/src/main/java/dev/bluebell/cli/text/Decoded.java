package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.paste.Dump;
import dev.bluebell.hca.text.Block;
import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.hca.text.Line;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * An entry of a dump, decoded to text.
 *
 * @param dump that contains it
 * @param kind of the entry
 * @param bytes of the entry
 * @param text in the format that {@code bluebell encode} reads
 * @param guesses that kind and text are based on, in whole sentences
 */
record Decoded(Dump dump, Kind kind, byte[] bytes, String text, List<String> guesses)
    implements Entry {

  @Override
  public List<String> remarks() {
    return guesses.stream().map(guess -> "guess: " + guess).toList();
  }

  @Override
  public Optional<Finding> finding() {
    return kind == Kind.CQE ? Finding.of(bytes) : Optional.empty();
  }

  @Override
  public ObjectNode json() {
    ObjectNode object =
        Entry.head(kind.name(), dump.line(), dump.form()).put("guessed", !guesses.isEmpty());
    guesses.forEach(object.putArray("guesses")::add);
    object.put("bytes", bytes.length).put("hex", HexFormat.of().formatHex(bytes)).put("text", text);
    addFields(object.putArray("fields"));
    finding().ifPresent(found -> object.set("failure", found.json()));
    return object;
  }

  /** Adds an object for each segment, and one for all fields outside segments. */
  private void addFields(ArrayNode fields) {
    ObjectNode plain = null;
    for (Line line : Block.parse(text).lines()) {
      ObjectNode target;
      if (line.keyword().isEmpty()) {
        plain = plain == null ? fields.addObject() : plain;
        target = plain;
      } else {
        target = fields.addObject().put("segment", line.keyword());
      }
      line.items().forEach(item -> target.put(item.name(), item.value()));
      if (!line.words().isEmpty()) {
        target.put("data", String.join(" ", line.words()));
      }
    }
  }
}
