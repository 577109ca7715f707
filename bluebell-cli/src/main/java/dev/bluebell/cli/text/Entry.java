package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** An entry of a dump that was understood. */
sealed interface Entry permits Decoded, DecodedPacket {
  /** Its text, as {@code bluebell encode} reads it. */
  String text();

  /** On what its text rests, and what is to be said of it, in whole sentences. */
  List<String> remarks();

  /** What a failure means; empty when the entry reports no failure. */
  Optional<Finding> finding();

  ObjectNode json();
}
