package dev.bluebell.cli.program;

import dev.bluebell.cli.command.WordConverter;
import dev.bluebell.program.plan.Model;

/** Reads what is believed of the device. */
final class ModelConverter extends WordConverter<Model> {
  ModelConverter() {
    super(Model.class);
  }
}
