import com.google.gson.*;
import java.nio.file.*;
import java.util.*;
import org.openapitools.client.*;

/** Arguments: the names of the classes of operations. */
class Java {
  public static void main(String[] apis) throws Exception {
    var client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
    client.setUsername(System.getenv("LOGIN"));
    client.setPassword(System.getenv("SECRET"));
    var calls = JsonParser.parseString(Files.readString(Path.of(System.getenv("CALLS")))).getAsJsonArray();
    for (var element : calls) {
      var call = element.getAsJsonObject();
      var id = call.get("operationId").getAsString();
      var name = id.substring(0, 1).toLowerCase() + id.substring(1) + "WithHttpInfo";
      for (var api : apis) {
        var type = Class.forName("org.openapitools.client.api." + api);
        for (var method : type.getMethods()) {
          if (!method.getName().equals(name)) continue;
          var arguments = new ArrayList<Object>();
          var given = call.getAsJsonArray("inOrder");
          for (var parameter : method.getGenericParameterTypes())
            arguments.add(JSON.getGson().fromJson(given.get(arguments.size()), parameter));
          int status;
          try {
            var of = type.getConstructor(ApiClient.class).newInstance(client);
            status = ((ApiResponse<?>) method.invoke(of, arguments.toArray())).getStatusCode();
          } catch (java.lang.reflect.InvocationTargetException error) {
            status = ((ApiException) error.getCause()).getCode();
          }
          System.out.println(id + " " + status);
        }
      }
    }
  }
}
