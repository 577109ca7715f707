package dev.bluebell.cli.paste;

/**
 * A dump that could not be read.
 *
 * @param line its number, from 1
 * @param reason what is wrong with it, and what to do
 */
public record Unread(int line, String reason) implements Piece {}
