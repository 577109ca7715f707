package dev.bluebell.cli.command;

/** Reads who runs the software device. */
final class EngineConverter extends WordConverter<DeviceOption.Engine> {
  EngineConverter() {
    super(DeviceOption.Engine.class);
  }
}
