package dev.bluebell.hca.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Words for exceptions of files: the message of most of them is only a path. */
public final class FileErrors {
  private FileErrors() {}

  /** The reason why an operation on a file failed. */
  public static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file or folder";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "it already exists";
      case NotDirectoryException _ -> "it is not a folder";
      case FileSystemException file when file.getReason() != null -> file.getReason();
      case FileSystemException _ -> failure.getClass().getSimpleName();
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }

  /** The reason why a file, which is created if it is missing, could not be written. */
  public static String whyNotWritten(IOException failure) {
    return failure instanceof NoSuchFileException ? "its folder does not exist" : reason(failure);
  }
}
